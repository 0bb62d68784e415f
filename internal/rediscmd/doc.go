// Package rediscmd answers one question: which Redis command does this call
// send? A client library is data: import path, whether methods take a context,
// and a table of methods. Upper layers see Commands only, never method names.
package rediscmd
