package import FoundationEssentials
package import JSON

/// The figures of a company over time, each with its source: ten fiscal years, eight quarters and the trailing twelve
/// months of every concept that the company reports.
///
/// What no filing reports is missing; nothing is ever zero or estimated for want of a number. Share counts and
/// per-share figures are on today's shares.
package struct Fundamentals: Sendable, Hashable {
    /// ISO 4217 code of all money figures.
    package let currency: String
    /// Labels of the fiscal years that are covered, newest first.
    package let fiscalYears: [String]
    /// The end of the latest period that the company reported.
    package let latestPeriodEnd: CalendarDate?
    /// The splits that were found in the facts, oldest first.
    package let splits: [StockSplit]
    /// Splits that filings state but no figure shows yet.
    package let announcedSplits: [AnnouncedSplit]
    /// All figures, by concept, newest first within each kind of period.
    package let figures: [Figure]

    package init(
        currency: String, fiscalYears: [String], latestPeriodEnd: CalendarDate?, splits: [StockSplit] = [],
        announcedSplits: [AnnouncedSplit] = [], figures: [Figure]
    ) {
        self.currency = currency
        self.fiscalYears = fiscalYears
        self.latestPeriodEnd = latestPeriodEnd
        self.splits = splits
        self.announcedSplits = announcedSplits
        self.figures = figures
    }

    /// Reads a `companyfacts` document of the SEC.
    ///
    /// - Throws: `DataSourceError.unexpected` when it is none. A document without usable facts gives no figures.
    package init(companyFacts json: JSON) throws(DataSourceError) {
        self = FundamentalsExtractor(try FactTable(companyFacts: json)).fundamentals()
    }
}

/// A split that a filing states and that is not yet in the figures.
package struct AnnouncedSplit: Sendable, Hashable {
    /// As stated: mostly new shares for one old share, of reverse splits often the other way round.
    package let ratio: Decimal
    package let date: CalendarDate
    package let filing: Filing

    package init(ratio: Decimal, date: CalendarDate, filing: Filing) {
        self.ratio = ratio
        self.date = date
        self.filing = filing
    }
}

extension Fundamentals {
    /// The fiscal years of a concept, newest first; years that were not reported are left out.
    package func annual(_ concept: Concept) -> [Figure] { figures(concept, .annual) }

    /// The figure of one fiscal year (`FY2025`).
    package func annual(_ concept: Concept, _ year: String) -> Figure? {
        annual(concept).first { $0.period.label == year }
    }

    /// The latest quarters of a concept, newest first.
    package func quarterly(_ concept: Concept) -> [Figure] {
        figures(concept, .quarter).filter { $0.period.label.contains(" Q") }
    }

    /// The twelve months up to `latestPeriodEnd`; `nil` when they cannot be told.
    package func trailingTwelveMonths(_ concept: Concept) -> Figure? { figures(concept, .trailing).first }

    /// The newest figure of a moment, or of a quarter, but only when it is of the latest period that the company
    /// reported: a line that a company stopped reporting has no latest figure. For share counts that is the latest
    /// cover page.
    package func latest(_ concept: Concept) -> Figure? {
        guard let latestPeriodEnd else { return nil }
        let preferred: Period.Kind = concept.measure.isInstant ? .annual : .quarter
        let recent = figures.filter {
            $0.concept == concept && $0.period.kind != .trailing && $0.period.end >= latestPeriodEnd
        }
        return recent.max {
            ($0.period.end, $0.period.kind == preferred ? 1 : 0) < ($1.period.end, $1.period.kind == preferred ? 1 : 0)
        }
    }

    package func figures(_ concept: Concept, _ kind: Period.Kind) -> [Figure] {
        figures.filter { $0.concept == concept && $0.period.kind == kind }
    }

    /// The figure of an id such as `revenue.FY2025`.
    package subscript(id: String) -> Figure? { figures.first { $0.id == id } }
}
