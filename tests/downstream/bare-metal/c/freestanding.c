/* A program without a C library: what the rules need of one is what C and Rust compilers ask of every target. */
#include <stddef.h>
#include <stdint.h>

#include "shape_rules.h"

void *memcpy(void *restrict to, const void *restrict from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int byte, size_t length);
int memcmp(const void *left, const void *right, size_t length);
int bcmp(const void *left, const void *right, size_t length);

volatile uint64_t shown[8];

/* The linker begins here and keeps what is reached. */
void start(void) {
    const uint64_t dims[] = {2, 3, 4};
    const int64_t target[] = {-1, 12};
    uint64_t output[2];
    size_t length;
    const uint64_t *slice = shape_slice(dims, 3, -2, NULL, &length);
    for (size_t i = 0; i < length; i++) {
        shown[i] = slice[i];
    }
    shown[length] = (uint64_t)reshape_target(dims, 3, target, 2, 0, output);
    for (size_t i = 0; i < 2; i++) {
        shown[length + 1 + i] = output[i];
    }
    for (;;) {
    }
}

#ifdef WITHOUT_MEM
/* Rust's core has these for targets without an operating system, and none for others. */
void *memmove(void *to, const void *from, size_t length) {
    volatile unsigned char *left = to;
    const unsigned char *right = from;
    if (left < right) {
        for (size_t i = 0; i < length; i++) left[i] = right[i];
    } else {
        for (size_t i = length; i > 0; i--) left[i - 1] = right[i - 1];
    }
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t length) { return memmove(to, from, length); }

void *memset(void *to, int byte, size_t length) {
    for (size_t i = 0; i < length; i++) ((volatile unsigned char *)to)[i] = (unsigned char)byte;
    return to;
}

int memcmp(const void *left, const void *right, size_t length) {
    const volatile unsigned char *one = left, *other = right;
    for (size_t i = 0; i < length; i++) {
        if (one[i] != other[i]) return one[i] < other[i] ? -1 : 1;
    }
    return 0;
}

int bcmp(const void *left, const void *right, size_t length) { return memcmp(left, right, length); }
#endif
