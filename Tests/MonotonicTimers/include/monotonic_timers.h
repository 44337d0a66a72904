// Loaded before libfaketime into a process under test, so that a jump of the wall clock leaves its timers alone.
//
// libfaketime shifts the absolute times of all timer descriptors as if they were wall time. Timers by the monotonic
// clock, which are all that Dispatch sets for tasks that sleep, then fire ten minutes late, or at once and for ever.
// A clock that somebody really sets does neither.

#include <sys/timerfd.h>

/// Sets a timer descriptor to the times given, as the system would.
int timerfd_settime(int descriptor, int flags, const struct itimerspec *next, struct itimerspec *last);
