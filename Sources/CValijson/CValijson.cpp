#include "CValijson.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

/* libstdc++ matches by recursion, a few hundred bytes of stack for each byte of text: a long text overflows it. */
constexpr size_t longest_matched_text = 8192;

template <typename Regex>
bool bounded_search(const std::string &text, const Regex &pattern) {
    if (text.size() > longest_matched_text) {
        throw std::length_error("a text is too long to be matched against a pattern");
    }
    return std::regex_search(text.begin(), text.end(), pattern);
}

}  // namespace

/* valijson calls std::regex_search without a limit and offers no place to put one, so its calls are led here. */
namespace std {
inline bool cvalijson_regex_search(const string &text, const regex &pattern) { return bounded_search(text, pattern); }
}  // namespace std
#define regex_search cvalijson_regex_search
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#undef regex_search

struct cvalijson_schema {
    valijson::Schema schema;
    /* Validators that nobody uses just now. Each keeps the patterns that it has compiled, which costs far more than to
       match them, and serves one call at a time. There are never more than calls at once. */
    std::mutex mutex;
    std::vector<std::unique_ptr<valijson::Validator>> idle;
};

namespace {

void set_error(char **error, const char *message) noexcept {
    if (error != nullptr) *error = strdup(message);
}

/* Runs a body that may throw; nothing leaves but the fallback and a message. */
template <typename Result, typename Body>
Result guarded(Result fallback, char **error, Body body) noexcept {
    try {
        return body();
    } catch (const std::exception &exception) {
        set_error(error, exception.what());
    } catch (...) {
        set_error(error, "unknown failure");
    }
    return fallback;
}

/* A validator of a schema for the length of one call. */
class Lent {
public:
    explicit Lent(cvalijson_schema &schema) : schema(schema) {
        {
            const std::lock_guard<std::mutex> lock(schema.mutex);
            if (!schema.idle.empty()) {
                validator = std::move(schema.idle.back());
                schema.idle.pop_back();
            }
        }
        if (!validator) validator = std::make_unique<valijson::Validator>();
    }

    ~Lent() {
        try {
            const std::lock_guard<std::mutex> lock(schema.mutex);
            schema.idle.push_back(std::move(validator));
        } catch (...) {
            /* Then the next call makes its own. */
        }
    }

    Lent(const Lent &) = delete;
    Lent &operator=(const Lent &) = delete;

    valijson::Validator &operator*() { return *validator; }

private:
    cvalijson_schema &schema;
    std::unique_ptr<valijson::Validator> validator;
};

std::string joined(const std::vector<std::string> &steps) {
    std::string path;
    for (const std::string &step : steps) path += step;
    return path;
}

}  // namespace

extern "C" {

cvalijson_schema *cvalijson_compile(const char *json, size_t length, char **error) {
    return guarded<cvalijson_schema *>(nullptr, error, [&] {
        const nlohmann::json document = nlohmann::json::parse(json, json + length);
        const valijson::adapters::NlohmannJsonAdapter adapter(document);
        auto result = std::make_unique<cvalijson_schema>();
        valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
        parser.populateSchema(adapter, result->schema);
        return result.release();
    });
}

void cvalijson_destroy(cvalijson_schema *schema) { delete schema; }

cvalijson_answer cvalijson_validate(cvalijson_schema *schema, const char *json, size_t length,
                                    cvalijson_report report, void *context, char **error) {
    return guarded(CVALIJSON_ERROR, error, [&] {
        const nlohmann::json document = nlohmann::json::parse(json, json + length);
        const valijson::adapters::NlohmannJsonAdapter adapter(document);
        Lent validator(*schema);
        if (report == nullptr) {
            return (*validator).validate(schema->schema, adapter, nullptr) ? CVALIJSON_YES : CVALIJSON_NO;
        }
        valijson::ValidationResults results;
        const bool is_valid = (*validator).validate(schema->schema, adapter, &results);
        valijson::ValidationResults::Error finding;
        while (results.popError(finding)) {
            report(context, joined(finding.context).c_str(), finding.description.c_str());
        }
        return is_valid ? CVALIJSON_YES : CVALIJSON_NO;
    });
}

cvalijson_answer cvalijson_matches(const char *pattern, const char *text, size_t length, char **error) {
    return guarded(CVALIJSON_ERROR, error, [&] {
        const std::regex compiled(pattern);
        return bounded_search(std::string(text, length), compiled) ? CVALIJSON_YES : CVALIJSON_NO;
    });
}

size_t cvalijson_longest_matched_text(void) { return longest_matched_text; }

void cvalijson_free(char *text) { std::free(text); }

}  // extern "C"
