#if canImport(SwiftUI)
    public import AppModels
    public import DossierClient
    public import SwiftUI

    /// An article with its summary and a chat, for a phone or a watch.
    public struct ArticleView: View {
        @State private var model: ArticleViewModel
        @State private var question = ""
        private let id: Article.ID

        /// Shows an article of a client; texts are shorter on a watch.
        public init(_ dossier: Dossier, _ id: Article.ID) {
            #if os(watchOS)
                let formFactor = FormFactor.watch
            #else
                let formFactor = FormFactor.phone
            #endif
            _model = State(initialValue: ArticleViewModel(dossier, formFactor: formFactor))
            self.id = id
        }

        /// The article, its summary, and the chat below.
        public var body: some View {
            List {
                if let article = model.article { Text(article.title).font(.headline) }
                if let summary = model.summary {
                    ForEach(summary.paragraphs, id: \.self) { Text($0) }
                } else if let problem = model.summaryProblem {
                    ProblemLabel(problem)
                }
                ForEach(model.messages) { message in
                    Text(message.text)
                        .frame(maxWidth: .infinity, alignment: message.author == .user ? .trailing : .leading)
                }
                if let problem = model.chatProblem {
                    ProblemLabel(problem)
                    Button("Try Again") { Task { await model.tryAgain() } }
                }
                ForEach(model.suggestedQuestions, id: \.self) { suggestion in
                    Button(suggestion) { Task { await model.ask(suggestion) } }
                }
                TextField("Ask about this article", text: $question)
                    .onSubmit {
                        let asked = question
                        question = ""
                        Task { await model.ask(asked) }
                    }
                    .disabled(model.isAnswering)
            }
            .overlay { StateOverlay(model.state) { await model.load(id) } }
            .task { await model.load(id) }
        }
    }
#endif
