public import DossierClient
public import Observation

/// An article with its summary and a chat about it, on a phone or on a watch, where texts are shorter.
@MainActor @Observable
public final class ArticleViewModel {
    /// A line of the chat.
    public struct Message: Hashable, Sendable, Identifiable {
        /// Who wrote it.
        public enum Author: Hashable, Sendable {
            /// The person who uses the app.
            case user
            /// The service.
            case assistant
        }
        /// Its place in the chat.
        public let id: Int
        /// Who wrote it.
        public let author: Author
        /// What it says.
        public let text: String
    }

    /// What the screen shows of the article.
    public private(set) var state = ViewState.idle
    /// The article.
    public private(set) var article: Article?
    /// Two or three paragraphs, or the article's own text when no model could be asked.
    public private(set) var summary: ArticleSummary?
    /// Why there is no summary.
    public private(set) var summaryProblem: ErrorPresentation?
    /// The chat, the oldest line first.
    public private(set) var messages: [Message] = []
    /// Whether an answer is awaited.
    public private(set) var isAnswering = false
    /// Why the last question has no answer; ``tryAgain()`` asks it again.
    public private(set) var chatProblem: ErrorPresentation?
    /// Questions to tap on, while nothing was asked.
    public var suggestedQuestions: [String] {
        messages.isEmpty ? summary?.suggestedQuestions ?? article?.suggestedQuestions ?? [] : []
    }

    private let dossier: Dossier
    private let formFactor: FormFactor
    private var conversation: Conversation.ID?
    private var unanswered: Submission<ArticleQuestionInput>?

    /// Makes the model; nothing is read yet.
    public init(_ dossier: Dossier, formFactor: FormFactor = .phone) {
        self.dossier = dossier
        self.formFactor = formFactor
    }

    /// For the appearance of the screen: the article, then its summary.
    public func load(_ id: Article.ID) async {
        if article?.id != id { reset() }
        if article == nil { state = .loading }
        do {
            article = try await dossier.read(.article(id)).value
            state = .loaded
        } catch {
            guard article == nil else { return }
            state = ErrorPresentation(error).map(ViewState.failed) ?? .idle
            return
        }
        do {
            summary = try await dossier.read(.summary(of: id, formFactor: formFactor)).value
            summaryProblem = nil
        } catch {
            summaryProblem = ErrorPresentation(error)
        }
    }

    /// Asks a question about the article. A second one while an answer is awaited is not sent.
    public func ask(_ question: String) async {
        guard let article, !isAnswering, !question.allSatisfy(\.isWhitespace) else { return }
        add(.user, question)
        await run(
            Submission(
                ArticleQuestionInput(question, about: article.id, in: conversation, formFactor: formFactor)))
    }

    /// Sends the last question again, as the same job.
    public func tryAgain() async {
        guard let unanswered, !isAnswering else { return }
        await run(unanswered)
    }

    private func run(_ question: Submission<ArticleQuestionInput>) async {
        unanswered = question
        isAnswering = true
        chatProblem = nil
        defer { isAnswering = false }
        do {
            let answer = try await dossier.jobs.output(of: question)
            // Another article may be shown by now.
            guard answer.articleID == article?.id else { return }
            conversation = answer.conversationID
            add(.assistant, answer.answer)
            unanswered = nil
        } catch {
            chatProblem = ErrorPresentation(error)
        }
    }

    private func add(_ author: Message.Author, _ text: String) {
        messages.append(Message(id: messages.count, author: author, text: text))
    }

    private func reset() {
        (article, summary, summaryProblem, conversation, unanswered, chatProblem) = (nil, nil, nil, nil, nil, nil)
        messages = []
    }
}
