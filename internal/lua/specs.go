package lua

// keySpec says which arguments of a command are keys: from first on, every
// step-th one up to last (negative counts from the end), all from 1.
type keySpec struct {
	first, last, step int
	kind              Kind
}

var (
	readOne = keySpec{1, 1, 1, Read}
	readAll = keySpec{1, -1, 1, Read}
	dataOne = keySpec{1, 1, 1, Data}
	dataTwo = keySpec{1, 2, 1, Data}
	dataAll = keySpec{1, -1, 1, Data}
	second  = keySpec{2, 2, 1, Data}
	// counted has the number of keys first, then the keys.
	counted = keySpec{first: -1, kind: Data}
	// storeCounted has a target, then a number of keys, then the keys.
	storeCounted = keySpec{first: -2, kind: Data}
	keyless      = keySpec{}
)

// specs holds the commands that need no more than their key positions. A command
// in neither this table nor handlers makes the script incomplete.
var specs = map[string]keySpec{
	"STRLEN": readOne, "GETRANGE": readOne, "SUBSTR": readOne, "TTL": readOne, "PTTL": readOne,
	"EXPIRETIME": readOne, "PEXPIRETIME": readOne, "TYPE": readOne, "HGETALL": readOne, "HLEN": readOne,
	"HKEYS": readOne, "HVALS": readOne, "HSTRLEN": readOne, "DUMP": readOne, "DIGEST": readOne,
	"TOUCH": readAll,

	"INCR": dataOne, "INCRBY": dataOne, "INCRBYFLOAT": dataOne, "DECR": dataOne, "DECRBY": dataOne,
	"APPEND": dataOne, "SETRANGE": dataOne, "PERSIST": dataOne, "RESTORE": dataOne, "LCS": dataTwo,
	"SETBIT": dataOne, "GETBIT": dataOne, "BITCOUNT": dataOne, "BITPOS": dataOne, "BITFIELD": dataOne, "BITFIELD_RO": dataOne,
	"BITOP": {2, -1, 1, Data},

	"HDEL": dataOne, "HSET": dataOne, "HMSET": dataOne, "HINCRBY": dataOne, "HINCRBYFLOAT": dataOne, "HSCAN": dataOne,
	"HRANDFIELD": dataOne, "HEXPIRE": dataOne, "HPEXPIRE": dataOne, "HEXPIREAT": dataOne, "HPEXPIREAT": dataOne,
	"HTTL": dataOne, "HPTTL": dataOne, "HPERSIST": dataOne, "HGETDEL": dataOne, "HGETEX": dataOne, "HSETEX": dataOne,

	"LPUSH": dataOne, "RPUSH": dataOne, "LPUSHX": dataOne, "RPUSHX": dataOne, "LPOP": dataOne, "RPOP": dataOne,
	"LLEN": dataOne, "LINDEX": dataOne, "LRANGE": dataOne, "LSET": dataOne, "LREM": dataOne, "LTRIM": dataOne,
	"LINSERT": dataOne, "LPOS": dataOne, "LMOVE": dataTwo, "RPOPLPUSH": dataTwo, "LMPOP": counted,

	"SADD": dataOne, "SREM": dataOne, "SMEMBERS": dataOne, "SMISMEMBER": dataOne, "SCARD": dataOne, "SPOP": dataOne,
	"SRANDMEMBER": dataOne, "SSCAN": dataOne, "SMOVE": dataTwo, "SINTER": dataAll, "SUNION": dataAll, "SDIFF": dataAll,
	"SINTERSTORE": dataAll, "SUNIONSTORE": dataAll, "SDIFFSTORE": dataAll, "SINTERCARD": counted,

	"ZADD": dataOne, "ZREM": dataOne, "ZINCRBY": dataOne, "ZCARD": dataOne, "ZCOUNT": dataOne, "ZLEXCOUNT": dataOne,
	"ZRANGE": dataOne, "ZREVRANGE": dataOne, "ZRANGEBYSCORE": dataOne, "ZREVRANGEBYSCORE": dataOne, "ZRANGEBYLEX": dataOne,
	"ZREVRANGEBYLEX": dataOne, "ZREMRANGEBYSCORE": dataOne, "ZREMRANGEBYRANK": dataOne, "ZREMRANGEBYLEX": dataOne,
	"ZPOPMIN": dataOne, "ZPOPMAX": dataOne, "ZMSCORE": dataOne, "ZRANDMEMBER": dataOne, "ZSCAN": dataOne,
	"ZRANGESTORE": dataTwo, "ZMPOP": counted, "ZUNION": counted, "ZINTER": counted, "ZDIFF": counted, "ZINTERCARD": counted,
	"ZUNIONSTORE": storeCounted, "ZINTERSTORE": storeCounted, "ZDIFFSTORE": storeCounted,

	"XADD": dataOne, "XLEN": dataOne, "XRANGE": dataOne, "XREVRANGE": dataOne, "XDEL": dataOne, "XTRIM": dataOne,
	"XACK": dataOne, "XCLAIM": dataOne, "XAUTOCLAIM": dataOne, "XPENDING": dataOne, "XSETID": dataOne,
	"XGROUP": second, "XINFO": second, "OBJECT": second, "MEMORY": second,

	"PFADD": dataOne, "PFCOUNT": dataAll, "PFMERGE": dataAll,
	"GEOADD": dataOne, "GEODIST": dataOne, "GEOHASH": dataOne, "GEOPOS": dataOne, "GEOSEARCH": dataOne,
	"GEOSEARCHSTORE": dataTwo, "GEORADIUS_RO": dataOne, "GEORADIUSBYMEMBER_RO": dataOne,
	"COPY": dataTwo, "SORT_RO": dataOne,

	"PUBLISH": keyless, "SPUBLISH": keyless, "TIME": keyless, "PING": keyless, "ECHO": keyless, "INFO": keyless,
	"DBSIZE": keyless, "LASTSAVE": keyless, "ROLE": keyless, "WAIT": keyless, "LOLWUT": keyless,
	"KEYS": keyless, "SCAN": keyless, "RANDOMKEY": keyless,
}

// founders are the commands of specs that make a missing key.
var founders = map[string]bool{
	"INCR": true, "INCRBY": true, "INCRBYFLOAT": true, "DECR": true, "DECRBY": true, "APPEND": true, "SETRANGE": true,
	"SETBIT": true, "HSET": true, "HMSET": true, "HINCRBY": true, "HINCRBYFLOAT": true, "LPUSH": true, "RPUSH": true,
	"SADD": true, "ZADD": true, "ZINCRBY": true, "XADD": true, "PFADD": true, "GEOADD": true,
}

// ownerHash are the founders by which scripts make a lock that is a hash.
var ownerHash = map[string]bool{"HSET": true, "HMSET": true, "HINCRBY": true}
