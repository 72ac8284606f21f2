/* Prints what the rules give; `run` holds it against expected.txt. */
#include <inttypes.h>
#include <stdio.h>

#include "shape_rules.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void print(const uint64_t *dims, size_t length) {
    printf("[");
    for (size_t i = 0; i < length; i++) {
        printf(i == 0 ? "%" PRIu64 : ", %" PRIu64, dims[i]);
    }
    printf("]\n");
}

static void shape(const uint64_t *dims, size_t rank, int64_t start, const int64_t *end) {
    size_t length;
    const uint64_t *slice = shape_slice(dims, rank, start, end, &length);
    printf("shape %" PRId64 " ", start);
    if (end == NULL) {
        printf("- ");
    } else {
        printf("%" PRId64 " ", *end);
    }
    print(slice, length);
}

static void reshape(const uint64_t *dims, size_t rank, const int64_t *target, size_t length, int64_t allowzero) {
    uint64_t output[8] = {0};
    int status = reshape_target(dims, rank, target, length, allowzero, output);
    printf("reshape %d ", status);
    print(output, status == RESHAPE_OK ? length : 0);
}

int main(void) {
    const uint64_t dims[] = {2, 3, 4};
    const int64_t ends[] = {3, 2, 1000, -1, -4, INT64_MIN, INT64_MAX};
    shape(dims, COUNT(dims), 0, NULL);
    for (size_t i = 0; i < COUNT(ends); i++) {
        shape(dims, COUNT(dims), 0, &ends[i]);
    }
    shape(dims, COUNT(dims), 2, &ends[1]);
    shape(dims, COUNT(dims), -500, &ends[1]);
    shape(dims, COUNT(dims), INT64_MIN, NULL);
    shape(NULL, 0, -1, NULL);

    const int64_t infers[] = {-1, 12}, copies[] = {0, -1}, second[] = {-1, -1}, below[] = {-2, 12}, past[] = {2, 3, 4, 0};
    const int64_t other[] = {5, 5}, undivided[] = {-1, 5}, itself[] = {2, 3, 4};
    reshape(dims, COUNT(dims), infers, COUNT(infers), 0);
    reshape(dims, COUNT(dims), copies, COUNT(copies), 0);
    reshape(dims, COUNT(dims), copies, COUNT(copies), 1);
    reshape(dims, COUNT(dims), copies, COUNT(copies), 2);
    reshape(dims, COUNT(dims), second, COUNT(second), 0);
    reshape(dims, COUNT(dims), below, COUNT(below), 0);
    reshape(dims, COUNT(dims), past, COUNT(past), 0);
    reshape(dims, COUNT(dims), other, COUNT(other), 0);
    reshape(dims, COUNT(dims), undivided, COUNT(undivided), 0);
    reshape(dims, COUNT(dims), itself, COUNT(itself), 0);

    const uint64_t one[] = {1}, none[] = {0, 5}, large[] = {UINT64_C(1) << 32, UINT64_C(1) << 32};
    const int64_t nothing[] = {0, 7}, all[] = {-1};
    reshape(one, COUNT(one), NULL, 0, 0);
    reshape(dims, COUNT(dims), NULL, 0, 0);
    reshape(none, COUNT(none), nothing, COUNT(nothing), 1);
    reshape(none, COUNT(none), all, COUNT(all), 0);
    reshape(large, COUNT(large), all, COUNT(all), 0);

    static int64_t many[1000001];
    static uint64_t room[COUNT(many)];
    printf("reshape %d []\n", reshape_target(one, COUNT(one), many, COUNT(many), 0, room));
    return 0;
}
