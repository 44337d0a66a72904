#include "monotonic_timers.h"

#include <sys/syscall.h>
#include <unistd.h>

int timerfd_settime(int descriptor, int flags, const struct itimerspec *next, struct itimerspec *last) {
    return (int)syscall(SYS_timerfd_settime, descriptor, flags, next, last);
}
