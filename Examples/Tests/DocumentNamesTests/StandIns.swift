// Stands in for the part of SwiftUI that document 004's snippets use, where there is no SwiftUI.
#if canImport(SwiftUI)
    import SwiftUI
#else
    import AppModels

    @propertyWrapper @MainActor
    struct StateObject<Object: AnyObject> {
        let wrappedValue: Object
        init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
    }

    enum Color: Hashable { case green, orange, red }

    final class Screen {
        @MainActor static var lines: [String] = []
    }

    struct Text {
        let text: String
        @MainActor init(_ text: String) {
            self.text = text
            Screen.lines.append(text)
        }
        @discardableResult func foregroundStyle(_ color: Color) -> Text { self }
    }

    extension ForecastQualityViewModel {
        var qualityScoreColor: Color {
            switch qualityLevel {
            case .good: .green
            case .fair: .orange
            case .poor: .red
            }
        }
    }

    extension ModelTrainingViewModel {
        var validationAccuracyColor: Color { (edge ?? 0) > 0 ? .green : .orange }
    }
#endif
