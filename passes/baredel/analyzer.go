package baredel

import "github.com/locklint/locklint/internal/shared"

// Analyzer is the pass as a variable, with the settings as its flags.
var Analyzer = shared.New(New)
