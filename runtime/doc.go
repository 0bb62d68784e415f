// Package lockrt holds a Redis lock for a bounded time. Its import line is
//
//	import lockrt "github.com/locklint/locklint/runtime"
//
// A [Lock] is a lease: it protects work only while its context is live.
//
//	locker, err := lockrt.New(client)
//	...
//	err = locker.Do(ctx, "jobs:42", 30*time.Second, func(ctx context.Context) error {
//		return work(ctx) // stops when ctx ends
//	})
//
// [Locker.Do] renews the lease while fn runs, ends fn's context when the lock is lost, and
// releases. [Locker.Acquire] and [Locker.TryAcquire] give a handle for work that is not one
// function. [CompareAndDelete] and [CompareAndExpire] are the two atomic steps by
// themselves, for a lock that a program makes by hand.
//
// # What it sees to
//
//   - A lost reply does not turn the own lock into somebody else's. go-redis sends a
//     command again when the answer is lost, and the second SET NX meets the key of the
//     first. This package sends once, and asks again with a script that knows its token.
//   - The holder is told before the key is free. The lease counts on the monotonic clock from
//     before the request was sent, minus one percent and 2 ms for drift, and only a
//     confirmed renewal prolongs it. That holds when Redis cannot be reached at all.
//   - Release deletes the key only while it is this lock's, also after the request's
//     context was cancelled, and tells released, lost and unknown apart.
//   - Waiters of one Locker stand in line, and only the first of them asks Redis. Across
//     processes there is no order: each asks at random intervals.
//   - A goroutine is there only while an answer is awaited. An idle held lock has none.
//
// # What a lease does not protect against
//
// No lock with an expiry can stop a holder that does not look. These leave two holders for a
// while, without anything being wrong in this package:
//
//   - A pause of the process (a full stop, a swapped machine, a suspended laptop, whose
//     monotonic clock may stand still) between a look at the context and the write it was for.
//   - Redis losing the key: failover to a replica that did not have it yet, a restart without
//     persistence, FLUSHALL, eviction (use the noeviction policy for locks), an
//     administrator's DEL.
//   - A jump of the server's clock, by which Redis expires keys.
//   - A request that a stalled connection holds back, and that Redis applies after its caller has
//     left. It creates a key that nobody holds, until its ttl ends.
//
// Where two holders would do harm, take [Fencing], pass [Lock.Fence] or [Fence] to the
// resource with every write, and let the resource refuse a number smaller than one it
// has seen. The numbers rise from one acquisition to the next also when Redis lost
// its counter, as long as the clocks of its servers agree better than a failover takes.
//
// # What it leaves out, and why
//
//   - Redlock, the quorum of independent servers: it needs several deployments, its safety
//     is disputed, and it does not help a paused holder either. Fencing does.
//   - Locks without a ttl: a crash would leave them for ever.
//   - Reading and writing locks, semaphores, elections: other primitives. An election is Do in a loop.
//   - Reentrancy by goroutine or token. A nested Do goes by its context instead.
//   - Creating the key again when a renewal finds it missing: another holder may have come and gone.
//   - Expiry by the client's clock (PXAT, PEXPIREAT): it makes every clock part of the lock.
//   - A global default client, and a Lock method without context or error.
//
// # Servers and clients
//
// The tests run on Redis 7.0, alone, with a replica, and as a cluster. What is sent exists since
// Redis 2.6.12; the script of Fencing writes after TIME, which needs Redis 5 or Valkey. A user with
// an access control list needs SET, GET, DEL, PEXPIRE, PTTL, EVAL and EVALSHA, for Fencing also
// TIME, on the keys and on "{key}:fence".
//
// Importing this package, and no other of this module, adds five lines to a go.mod:
// locklint itself, github.com/redis/go-redis/v9, and what that requires
// (github.com/cespare/xxhash/v2, go.uber.org/atomic, golang.org/x/sys). The analyzers'
// dependencies are not compiled, and not listed there.
package lockrt
