package literals

var plan9 = table{"a": {nil, "a"}}
