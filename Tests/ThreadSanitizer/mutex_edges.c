// Tells the thread sanitizer of the order that a contended Swift mutex makes.
//
// The fast paths of `Mutex` are compiled into the tested code, where the sanitizer sees their atomic operations. The
// slow paths are in the library, which is not instrumented: a mutex that was handed over by the kernel would look like
// none. This library is loaded before it and reports both ends of such a hand-over.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*lock_function)(uint32_t thread, SELF void *self);
typedef SWIFT bool (*try_lock_function)(SELF void *self);
typedef SWIFT void (*unlock_function)(SELF void *self);

SWIFT void lock_slow(uint32_t thread, SELF void *self) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF void *self) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF void *self) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *self) {
  static lock_function original;
  if (!original) original = (lock_function)dlsym(RTLD_NEXT, LOCK);
  original(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF void *self) {
  static try_lock_function original;
  if (!original) original = (try_lock_function)dlsym(RTLD_NEXT, TRY_LOCK);
  bool is_locked = original(self);
  if (is_locked && __tsan_acquire) __tsan_acquire(self);
  return is_locked;
}

SWIFT void unlock_slow(SELF void *self) {
  static unlock_function original;
  if (!original) original = (unlock_function)dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(self);
  original(self);
}
