package several

import "time"

const ttl = 20 * time.Second
