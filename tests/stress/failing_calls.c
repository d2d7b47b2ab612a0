/* Loaded before the C library: the n-th call that changes a file in a folder fails, once or from then on.
   A write that fails has put half of its bytes down, as one on a full disk does. A removal fails once only:
   a full disk allows it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static char folder[4096];
static atomic_long calls;
static long first = 0;
static int code = 0, for_good = 0, removal_failed = 0;

void arm_failure(const char *where, long n, int error, int from_then_on) {
    snprintf(folder, sizeof folder, "%s", where);
    atomic_store(&calls, 0);
    first = n;
    code = error;
    for_good = from_then_on;
    removal_failed = 0;
}

int has_removal_failed(void) { return removal_failed; }

long count_calls(void) { return atomic_load(&calls); }

static int fails(const char *path) {
    if (!folder[0] || strncmp(path, folder, strlen(folder))) return 0;
    long n = atomic_fetch_add(&calls, 1) + 1;
    return first && (n == first || (for_good && n > first));
}

static int fd_fails(int fd) {
    char link[64], path[4096];
    if (!folder[0]) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) return 0;
    path[n] = 0;
    return fails(path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_IF(condition) if (condition) { errno = code; return -1; }

ssize_t write(int fd, const void *bytes, size_t n) {
    if (fd_fails(fd)) { REAL(write)(fd, bytes, n / 2); errno = code; return -1; }
    return REAL(write)(fd, bytes, n);
}
ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at) {
    if (fd_fails(fd)) { REAL(pwrite)(fd, bytes, n / 2, at); errno = code; return -1; }
    return REAL(pwrite)(fd, bytes, n, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) {
    if (fd_fails(fd)) { REAL(pwrite64)(fd, bytes, n / 2, at); errno = code; return -1; }
    return REAL(pwrite64)(fd, bytes, n, at);
}
int fsync(int fd) { FAIL_IF(fd_fails(fd)) return REAL(fsync)(fd); }
int fdatasync(int fd) { FAIL_IF(fd_fails(fd)) return REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t n) { FAIL_IF(fd_fails(fd)) return REAL(ftruncate)(fd, n); }
int ftruncate64(int fd, off64_t n) { FAIL_IF(fd_fails(fd)) return REAL(ftruncate64)(fd, n); }
int rename(const char *from, const char *to) { FAIL_IF(fails(to)) return REAL(rename)(from, to); }
int unlink(const char *path) {
    long before = atomic_load(&calls);
    if (fails(path) && before + 1 == first) { removal_failed = 1; errno = code; return -1; }
    return REAL(unlink)(path);
}
int mkdir(const char *path, mode_t mode) { FAIL_IF(fails(path)) return REAL(mkdir)(path, mode); }

#define OPEN(name)                                           \
    int name(const char *path, int flags, ...) {             \
        mode_t mode = 0;                                     \
        if (flags & (O_CREAT | O_TMPFILE)) {                 \
            va_list rest;                                    \
            va_start(rest, flags);                           \
            mode = va_arg(rest, mode_t);                     \
            va_end(rest);                                    \
        }                                                    \
        FAIL_IF((flags & O_CREAT) && fails(path))            \
        return REAL(name)(path, flags, mode);                \
    }
OPEN(open)
OPEN(open64)
