#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERS = 20 };
static char line[1 << 16];

/* The list of numbers behind a key of the line; returns how many there are. */
static int list(const char *key, int *numbers) {
    int count = 0;
    char *at = strstr(line, key);
    if (at == NULL) return 0;
    for (at = strchr(at, '[') + 1; at[-1] != ']'; at++) {
        char *end;
        long number = strtol(at, &end, 10);
        if (end != at) numbers[count++] = number;
        at = end;
    }
    return count;
}

int main(void) {
    int made[ORDERS + 1];
    setvbuf(stdout, NULL, _IOLBF, 1 << 16); /* each line is sent when it is whole */
    while (fgets(line, sizeof line, stdin)) {
        int count = list("\"state\"", made);
        if (strstr(line, "\"problem\"")) {
            puts("{\"result\": {\"objective\": \"lateness\", \"sign\": -1, \"digits\": 0}}");
            continue;
        }
        if (strstr(line, "\"play\"")) made[count++] = atoi(strstr(line, "\"move\": ") + 8);
        int time = 0, colour = 0, late = 0, left[ORDERS], taken[ORDERS] = {0}, lefts = 0;
        for (int k = 0; k < count; k++) {
            int order = made[k], due = 20 + 37 * order % 180;
            time += 5 + 7 * order % 11 + (order % 4 != colour ? 10 : 0);
            colour = order % 4;
            late += time > due ? time - due : 0;
            taken[order] = 1;
        }
        for (int order = 0; order < ORDERS; order++)
            if (!taken[order]) left[lefts++] = order;
        printf("{\"result\": [");
        for (int k = 0; k < count; k++) printf("%s%d", k ? ", " : "", made[k]);
        printf("], \"score\": %d, \"legal_moves\": [", -late);
        for (int k = 0; k < lefts; k++) printf("%s%d", k ? ", " : "", left[k]);
        puts("]}");
    }
    return 0;
}
