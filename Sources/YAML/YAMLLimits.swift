/// How large a document may be; what goes beyond is an error and never a slow or crashing reader.
enum YAMLLimits {
    /// Bytes of YAML text.
    static let inputSize = 16 << 20
    /// Bytes of JSON text after aliases are resolved: stops the few lines that expand to gigabytes.
    static let expandedSize = 32 << 20
    /// Levels of nesting, also after aliases are resolved.
    static let depth = 200
}
