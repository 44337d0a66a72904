/* The speed of libmicrohttpd alone on this machine: the same bytes for every request, as long as a job's, with as many
   threads as `dossier serve` uses.

   constant PORT, until it is ended. */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 2, LENGTH = 400 };

static char body[LENGTH];

static enum MHD_Result answer(
    void *unused, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *data, size_t *length, void **state) {
    (void)unused, (void)url, (void)method, (void)version, (void)data;
    static int seen;
    if (!*state) {
        *state = &seen;
        return MHD_YES;
    }
    *length = 0;
    struct MHD_Response *response = MHD_create_response_from_buffer(LENGTH, body, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type", "application/json");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

int main(int count, char **words) {
    if (count != 2) {
        fprintf(stderr, "usage: constant PORT\n");
        return 2;
    }
    memset(body, 'x', sizeof body);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[1]))};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    if (!MHD_start_daemon(
            MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, NULL, MHD_OPTION_SOCK_ADDR, &address,
            MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS, MHD_OPTION_END)) {
        perror("constant");
        return 1;
    }
    pause();
    return 0;
}
