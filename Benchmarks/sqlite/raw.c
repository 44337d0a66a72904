/* The speed of SQLite alone with the statements of a job's life: the queries of the store, read from its SQL files, in the
   order in which the store runs them, BATCH jobs in a transaction, without any code around them.

   raw_sqlite DATABASE SQL JOBS BATCH, on a database that `dossier migrate` made; prints a line of JSON for each part
   of the benchmark. */
#include <dirent.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { USERS = 1000 };

static sqlite3 *database;
static const char *folder;
static int64_t now;

static void fail(const char *what) {
    fprintf(stderr, "raw_sqlite: %s: %s\n", what, database ? sqlite3_errmsg(database) : "");
    exit(1);
}

static void execute(const char *sql) {
    if (sqlite3_exec(database, sql, 0, 0, 0) != SQLITE_OK) fail(sql);
}

/* Returns the text below the line of a query's name in one of the files of `folder`, up to the next name. */
static char *query(const char *name) {
    char line[256];
    snprintf(line, sizeof line, "-- name: %s\n", name);
    DIR *files = opendir(folder);
    if (!files) fail(folder);
    char *found = 0;
    for (struct dirent *file; !found && (file = readdir(files));) {
        char path[1024];
        static char text[65536];
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        FILE *stream = strstr(path, ".sql") ? fopen(path, "r") : 0;
        if (!stream) continue;
        text[fread(text, 1, sizeof text - 1, stream)] = 0;
        fclose(stream);
        char *start = strstr(text, line);
        if (!start) continue;
        start += strlen(line);
        char *next = strstr(start, "-- name:");
        if (next) *next = 0;
        found = start;
    }
    closedir(files);
    if (!found) fail(name);
    return found;
}

static sqlite3_stmt *prepare(const char *name) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(database, query(name), -1, SQLITE_PREPARE_PERSISTENT, &statement, 0) != SQLITE_OK) fail(name);
    return statement;
}

/* Runs a query, which is prepared once. `kinds` lists the types of the arguments: i (int64_t), t (text), b (16 bytes),
   n (nothing: NULL). Returns the first column of the first row as a number, or -1. */
#define RUN(name, ...) ({ static sqlite3_stmt *kept; if (!kept) kept = prepare(name); run(kept, __VA_ARGS__); })

static int64_t run(sqlite3_stmt *statement, const char *kinds, ...) {
    va_list values;
    va_start(values, kinds);
    for (int place = 1; kinds[place - 1]; place++) {
        switch (kinds[place - 1]) {
        case 'i': sqlite3_bind_int64(statement, place, va_arg(values, int64_t)); break;
        case 't': sqlite3_bind_text(statement, place, va_arg(values, const char *), -1, SQLITE_STATIC); break;
        case 'b': sqlite3_bind_blob(statement, place, va_arg(values, const void *), 16, SQLITE_STATIC); break;
        default: sqlite3_bind_null(statement, place);
        }
    }
    va_end(values);
    int64_t first = -1;
    int code, rows = 0;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        if (rows++ == 0) first = sqlite3_column_int64(statement, 0);
    if (code != SQLITE_DONE) fail(sqlite3_sql(statement));
    sqlite3_reset(statement);
    return first;
}

struct job {
    unsigned char id[16];
    int64_t user, number, cost, hold;
};

/* Submits a job and holds its cost, if it has one. */
static void submit(struct job *job, int64_t user, int64_t cost) {
    static int64_t made;
    if (getrandom(job->id, 16, 0) != 16) fail("no random bytes");
    int64_t stamp = now + made++;
    for (int i = 0; i < 6; i++) job->id[i] = (unsigned char)(stamp >> (40 - 8 * i));
    job->user = user;
    job->cost = cost;
    RUN("job_owner", "b", job->id);
    RUN("balance_get", "i", user);
    if (cost) {
        RUN("ledger_insert", "itibnni", user, "hold", cost, job->id, now);
        job->hold = sqlite3_last_insert_rowid(database);
        RUN("balance_hold", "ii", user, cost);
    }
    RUN("bundle_number_insert", "t", "b");
    RUN("job_insert", cost ? "bitttiiinnnniiiiini" : "bitttiiinnnniiiiinn", job->id, user, "research", "b",
        "background", (int64_t)0, cost, (int64_t)1, now, (int64_t)600000, now + 600000, (int64_t)0, (int64_t)0, job->hold);
    job->number = sqlite3_last_insert_rowid(database);
    RUN("job_input_insert", "it", job->number, "{\"ticker\":\"AAPL\"}");
    RUN("user_position_advance", "ti", "background", user);
    RUN("ready_insert", "tiii", "background", user, job->number, (int64_t)0);
}

/* Claims in the order of submission, which is the order of the positions here. */
static void claim(struct job *job, int64_t worker) {
    static sqlite3_stmt *first;
    if (!first) first = prepare("ready_first");
    sqlite3_bind_text(first, 1, "background", -1, SQLITE_STATIC);
    if (sqlite3_step(first) != SQLITE_ROW) fail("nothing is ready");
    int64_t position = sqlite3_column_int64(first, 0), number = sqlite3_column_int64(first, 1);
    int64_t user = sqlite3_column_int64(first, 2);
    sqlite3_reset(first);
    if (number != job->number) fail("another job is first");
    RUN("ready_best_of_user", "ti", "background", user);
    RUN("ready_delete", "tii", "background", position, number);
    RUN("lease_insert", "iii", worker, number, now);
    RUN("job_claim", "iii", number, worker, now);
    RUN("job_claimed", "i", number);
    RUN("queue_advance", "ti", "background", position);
}

static void complete(struct job *job, int64_t worker) {
    RUN("job_state_by_id", "b", job->id);
    RUN("lease_delete", "ii", worker, job->number);
    RUN("job_result_insert", "it", job->number, "{}");
    RUN("job_complete", "ii", job->number, now);
    if (!job->cost) return;
    RUN("ledger_insert", "itibini", job->user, "settle", job->cost, job->id, job->hold, now);
    RUN("balance_settle", "ii", job->user, job->cost);
}

static void begin(void) { execute("BEGIN IMMEDIATE"); }

static void commit(void) {
    RUN("commit_counter_bump", "ii", (int64_t)1, (int64_t)1);
    execute("COMMIT");
}

/* Each of the following is one transaction. */

static void submit_all(struct job *jobs, int count, int first, int64_t cost) {
    begin();
    for (int i = 0; i < count; i++) submit(&jobs[i], (first + i) % USERS, cost);
    commit();
}

static void claim_all(struct job *jobs, int count, int64_t worker) {
    begin();
    RUN("worker_number", "t", "raw");
    RUN("scheduled_due", "ii", now, (int64_t)1000);
    for (int i = 0; i < count; i++) claim(&jobs[i], worker);
    RUN("scheduled_next", "");
    commit();
}

static void report_all(struct job *jobs, int count) {
    begin();
    for (int i = 0; i < count; i++) RUN("job_report", "biit", jobs[i].id, (int64_t)1, (int64_t)30, "draft");
    commit();
}

static void append_all(struct job *jobs, int count, const char *step) {
    begin();
    for (int i = 0; i < count; i++) {
        RUN("job_state_by_id", "b", jobs[i].id);
        RUN("step_insert", "ititt", jobs[i].number, step, (int64_t)0, "h", "{}");
    }
    commit();
}

static void complete_all(struct job *jobs, int count, int64_t worker) {
    begin();
    for (int i = 0; i < count; i++) complete(&jobs[i], worker);
    commit();
}

/* Seconds since an arbitrary time. */
static double clock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void print_rate(const char *part, int count, double start) {
    printf("{\"name\":\"%s\",\"per_second\":%.1f}\n", part, count / (clock_now() - start));
}

static void life_cycle(int jobs, int batch, int64_t worker) {
    struct job *batched = calloc((size_t)batch, sizeof *batched);
    double start = clock_now();
    for (int done = 0; done < jobs; done += batch) {
        submit_all(batched, batch, done, 1);
        claim_all(batched, batch, worker);
        report_all(batched, batch);
        append_all(batched, batch, "gather");
        append_all(batched, batch, "draft");
        complete_all(batched, batch, worker);
    }
    print_rate("life_cycle", jobs, start);
    free(batched);
}

static void submit_and_claim(int jobs, int batch, int64_t worker) {
    struct job *all = calloc((size_t)jobs, sizeof *all);
    for (int64_t cost = 1; cost >= 0; cost--) {
        double start = clock_now();
        for (int done = 0; done < jobs; done += batch) submit_all(all + done, batch, done, cost);
        if (cost) print_rate("submit", jobs, start);
        start = clock_now();
        for (int done = 0; done < jobs; done += batch) {
            claim_all(all + done, batch, worker);
            complete_all(all + done, batch, worker);
        }
        if (!cost) print_rate("claim_complete", jobs, start);
    }
    free(all);
}

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static void pickup(int jobs, int64_t worker) {
    double *waits = calloc((size_t)jobs, sizeof *waits);
    for (int done = 0; done < jobs; done++) {
        struct job job = {0};
        double start = clock_now();
        submit_all(&job, 1, done, 0);
        claim_all(&job, 1, worker);
        waits[done] = (clock_now() - start) * 1000;
        complete_all(&job, 1, worker);
    }
    qsort(waits, (size_t)jobs, sizeof *waits, compare);
    printf("{\"name\":\"pickup\",\"p50_ms\":%.3f,\"p99_ms\":%.3f}\n", waits[jobs / 2], waits[jobs * 99 / 100]);
    free(waits);
}

static void poll(int polls) {
    struct job jobs[100] = {0};
    submit_all(jobs, 100, 0, 0);
    double start = clock_now();
    for (int done = 0; done < polls; done++) RUN("job_get", "bi", jobs[done % 100].id, jobs[done % 100].user);
    print_rate("poll", polls, start);
}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr, "usage: raw_sqlite DATABASE SQL JOBS BATCH\n");
        return 2;
    }
    folder = words[2];
    int jobs = atoi(words[3]), batch = atoi(words[4]);
    if (jobs < 1 || batch < 1 || jobs % batch) fail("JOBS is not a multiple of BATCH");
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    now = (int64_t)time.tv_sec * 1000;
    if (sqlite3_open_v2(words[1], &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, 0) != SQLITE_OK) fail("open");
    execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768");
    sqlite3_wal_autocheckpoint(database, 4000);
    begin();
    for (int64_t user = 0; user < USERS; user++) {
        RUN("balance_open", "ii", user, (int64_t)jobs);
        RUN("ledger_insert", "itinnni", user, "grant", (int64_t)jobs, now);
    }
    RUN("worker_register", "ttiiitit", "raw", "here", (int64_t)1, (int64_t)1000, now, "", (int64_t)0, "{}");
    int64_t worker = RUN("worker_number", "t", "raw");
    commit();
    life_cycle(jobs, batch, worker);
    submit_and_claim(jobs, batch, worker);
    pickup(1000, worker);
    poll(jobs * 4);
    return 0;
}
