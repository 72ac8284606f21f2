/* What Shape and Reshape give, on dimensions that are numbers. Nothing is allocated, nothing is kept between two calls,
   and no call fails but by what it returns. Where a pointer and a length stand side by side, the pointer may be null if
   the length is 0. */
#ifndef SHAPE_RULES_H
#define SHAPE_RULES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The dimensions from axis `start` up to, and without, axis `end`: all of the rest where `end` is null. A negative axis
   counts from the end; both are clamped to [0, rank]. Gives where in `dims` they begin, and in `length`, which must not
   be null, how many they are. */
const uint64_t *shape_slice(const uint64_t *dims, size_t rank, int64_t start, const int64_t *end, size_t *length);

/* What `reshape_target` returns. */
enum reshape_status {
    RESHAPE_OK = 0,        /* `output` has the dimensions */
    RESHAPE_ENTRY = 1,     /* an entry below -1, a second -1, or a copy of a dimension that is not there */
    RESHAPE_ZERO = 2,      /* a -1 beside a zero */
    RESHAPE_OVERFLOW = 3,  /* more elements than int64 counts */
    RESHAPE_COUNT = 4,     /* the numbers of elements differ, or do not divide */
    RESHAPE_LENGTH = 5,    /* more entries than any tensor has dimensions */
    RESHAPE_ALLOWZERO = 6  /* `allowzero` is neither 0 nor 1 */
};

/* The dimensions that a tensor of dimensions `dims` has under `target`. A 0 copies the dimension at its place, or is a
   dimension of zero where `allowzero` is 1; one -1 stands for what is left. `output` has room for `length` numbers and
   overlaps neither of the others; it is written where RESHAPE_OK is returned, and not touched elsewhere. */
int reshape_target(const uint64_t *dims, size_t rank, const int64_t *target, size_t length, int64_t allowzero,
                   uint64_t *output);

#ifdef __cplusplus
}
#endif

#endif
