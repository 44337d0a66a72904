#ifndef DOSSIER_CMICROHTTPD_SHIM_H
#define DOSSIER_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netdb.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>

/* Swift imports no variadic functions: what follows gives each use of one a fixed signature, and nothing else. */

struct shim_daemon_options {
    int listen_fd;
    unsigned int threads;
    unsigned int connection_limit;
    unsigned int idle_timeout_seconds;
    size_t connection_memory;
    MHD_AccessHandlerCallback access;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
    MHD_LogCallback log;
    void *context;
};

static inline struct MHD_Daemon *shim_start_daemon(const struct shim_daemon_options *o)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO | MHD_USE_ITC | MHD_USE_ERROR_LOG, 0,
        NULL, NULL, o->access, o->context, MHD_OPTION_EXTERNAL_LOGGER, o->log, o->context,
        MHD_OPTION_LISTEN_SOCKET, o->listen_fd, MHD_OPTION_THREAD_POOL_SIZE, o->threads,
        MHD_OPTION_CONNECTION_LIMIT, o->connection_limit, MHD_OPTION_CONNECTION_TIMEOUT, o->idle_timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, o->connection_memory, MHD_OPTION_NOTIFY_COMPLETED, o->completed, o->context,
        MHD_OPTION_NOTIFY_CONNECTION, o->connection, o->context, MHD_OPTION_URI_LOG_CALLBACK, o->target, o->context,
        MHD_OPTION_UNESCAPE_CALLBACK, o->unescape, o->context, MHD_OPTION_END);
}

static inline int shim_connection_fd(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *shim_connection_address(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

static inline void *shim_connection_context(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline size_t shim_head_size(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

static inline void shim_close_after_response(struct MHD_Response *response)
{
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/* Macros with casts that Swift does not import. */
static const uint64_t shim_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t shim_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t shim_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

#endif
