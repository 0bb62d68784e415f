package rediscmd

// A method describes a typed method of a client: where its arguments stand,
// counted after the context.
type method struct {
	verb   Verb
	key    int
	keys   bool // key and all that follow are keys
	value  int  // -1: none
	match  int
	ttl    int
	at     bool // ttl is a time.Time
	cond   Cond
	onlyIf string
	millis bool
}

const none = -1

func set(cond Cond) method {
	return method{verb: Set, value: 1, match: none, ttl: 2, cond: cond}
}

func setIf(cond Cond) method {
	return method{verb: Set, value: 1, match: 2, ttl: 3, cond: cond}
}

func expire(onlyIf string, at, millis bool) method {
	return method{verb: Expire, value: none, match: none, ttl: 1, at: at, onlyIf: onlyIf, millis: millis}
}

func on(v Verb) method { return method{verb: v, value: none, match: none, ttl: none} }

func onKeys(v Verb) method {
	return method{verb: v, keys: true, value: none, match: none, ttl: none}
}

// methods is the table of the typed methods of go-redis, all versions. A method
// that is not here and takes a key first is Data.
var methods = map[string]method{
	"Set":         set(Always),
	"SetEx":       set(Always),
	"SetEX":       set(Always),
	"SetNX":       set(IfAbsent),
	"SetXX":       set(IfPresent),
	"SetIFEQ":     setIf(IfEqual),
	"SetIFEQGet":  setIf(IfEqual),
	"SetIFDEQ":    setIf(IfEqual),
	"SetIFDEQGet": setIf(IfEqual),
	"SetIFNE":     setIf(IfDifferent),
	"SetIFNEGet":  setIf(IfDifferent),
	"SetIFDNE":    setIf(IfDifferent),
	"SetIFDNEGet": setIf(IfDifferent),
	"Get":         on(Get),
	"GetToBuffer": on(Get),
	"GetSet":      {verb: GetSet, value: 1, match: none, ttl: none},
	"GetDel":      on(GetDel),
	"GetEx":       {verb: GetEx, value: none, match: none, ttl: 1},
	"Del":         onKeys(Del),
	"Unlink":      onKeys(Del),
	"Persist":     on(Persist),
	"Exists":      onKeys(Inspect),
	"Touch":       onKeys(Inspect),
	"TTL":         on(Inspect),
	"PTTL":        on(Inspect),
	"Type":        on(Inspect),
	"Dump":        on(Inspect),
	"ExpireTime":  on(Inspect),
	"PExpireTime": on(Inspect),
	"Digest":      on(Inspect),
	"StrLen":      on(Inspect),
	"Expire":      expire("", false, false),
	"PExpire":     expire("", false, true),
	"ExpireAt":    expire("", true, false),
	"PExpireAt":   expire("", true, true),
	"ExpireNX":    expire("NX", false, false),
	"ExpireXX":    expire("XX", false, false),
	"ExpireGT":    expire("GT", false, false),
	"ExpireLT":    expire("LT", false, false),
}

// keyless are methods whose first string is no key.
var keyless = map[string]bool{
	"Publish": true, "SPublish": true, "Echo": true, "Keys": true, "ScriptLoad": true,
	"Subscribe": true, "PSubscribe": true, "SSubscribe": true, "Ping": true, "Auth": true,
	"ClientSetName": true, "ConfigGet": true, "ConfigSet": true, "Info": true, "FCall": true,
	"FCallRO": true, "FCallRo": true, "FunctionLoad": true, "FunctionLoadReplace": true,
	"FunctionDelete": true, "FunctionRestore": true, "Select": true, "SlaveOf": true,
	"ClientKill": true, "ClusterMeet": true, "Migrate": true, "Object": true,
	"PubSubChannels": true, "PubSubNumSub": true, "ScriptExists": true,
}
