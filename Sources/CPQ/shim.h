#include <libpq-fe.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
