/* A disk that fails on command, for LD_PRELOAD: what is written or flushed to the files whose
 * path contains BAD_DISK_FILE fails while the file named by BAD_DISK_SWITCH exists. Its first
 * letter says how: 'w' a write with EIO, 's' a flush with EIO, 'f' a write with ENOSPC. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char fault(void) {
    const char *name = getenv("BAD_DISK_SWITCH");
    int fd = name ? (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC) : -1;
    char letter = 0;
    if (fd < 0) return 0;
    if (syscall(SYS_read, fd, &letter, 1) != 1) letter = 0;
    syscall(SYS_close, fd);
    return letter;
}

static int fails(int fd, int is_write) {
    char link[64], path[4096];
    const char *wanted = getenv("BAD_DISK_FILE");
    int saved = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = saved;
    if (length < 0 || wanted == NULL) return 0;
    path[length] = 0;
    if (strstr(path, wanted) == NULL) return 0;
    char how = fault();
    errno = saved;
    if (is_write && how == 'w') { errno = EIO; return 1; }
    if (is_write && how == 'f') { errno = ENOSPC; return 1; }
    if (!is_write && how == 's') { errno = EIO; return 1; }
    return 0;
}

#define REAL(name, type) static type real; if (!real) real = (type)dlsym(RTLD_NEXT, name)

typedef ssize_t (*write_t)(int, const void *, size_t);
typedef ssize_t (*pwrite_t)(int, const void *, size_t, off_t);
typedef int (*sync_t)(int);

ssize_t write(int fd, const void *what, size_t size) {
    REAL("write", write_t);
    return fails(fd, 1) ? -1 : real(fd, what, size);
}
ssize_t pwrite(int fd, const void *what, size_t size, off_t at) {
    REAL("pwrite", pwrite_t);
    return fails(fd, 1) ? -1 : real(fd, what, size, at);
}
ssize_t pwrite64(int fd, const void *what, size_t size, off_t at) {
    REAL("pwrite64", pwrite_t);
    return fails(fd, 1) ? -1 : real(fd, what, size, at);
}
int fsync(int fd) {
    REAL("fsync", sync_t);
    return fails(fd, 0) ? -1 : real(fd);
}
int fdatasync(int fd) {
    REAL("fdatasync", sync_t);
    return fails(fd, 0) ? -1 : real(fd);
}
