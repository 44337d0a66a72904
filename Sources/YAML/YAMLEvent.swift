/// What the parser meets while it reads a text from start to end.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case documentEnd
        case scalar(YAMLScalar, text: String, isPlain: Bool)
        case alias(String)
        case sequenceStart
        case mappingStart
        case collectionEnd
    }

    let kind: Kind
    let anchor: String?
    let position: YAMLPosition
}
