import Basics
import Testing

@testable import News

/// Which headlines on figures of an economy cannot tell one event.
@Suite struct EconomicFiguresTests {
    private func contradict(_ one: String, _ other: String) -> Bool {
        let readings = [one, other].map {
            HeadlineReading(title: $0).figures
        }
        #expect(readings[0].contradicts(readings[1]) == readings[1].contradicts(readings[0]))
        return readings[0].contradicts(readings[1])
    }

    @Test(arguments: [
        ("US inflation slows to 2.4%", "Inflation rises to 3.9%"),
        ("US inflation slows to 2.4%", "Inflation slows to 2.9%"),
        ("US inflation cools", "Inflation rises to 3.9%"),
        ("Jobless claims fall to 212,000", "US jobless claims rise to 241,000"),
        ("US economy adds 254,000 jobs", "Employers add 31,000 jobs, unemployment rises"),
        ("US retail sales rise 0.6%", "Retail sales fall 0.6%"),
        ("Economy grows 0.2% in fourth quarter", "German economy shrinks 0.2% in fourth quarter"),
        ("Manufacturing PMI slips to 48.7, below forecasts", "Manufacturing PMI climbs to 51.3"),
        ("China's exports jump 9%", "Exports fall 3.2% in May"),
        ("US trade deficit narrows to $70.5 billion", "Trade deficit widens to $81 billion"),
        ("Inflation in Deutschland fällt auf 1,6 Prozent", "Inflation steigt auf 2,8 Prozent"),
        ("La inflación baja al 2,3%", "La inflación sube al 3,1%"),
        ("Le chômage baisse à 7,3%", "Le chômage progresse à 7,9%"),
    ])
    func otherFiguresOfOneMeasureOrOpposedDirectionsAreTwoEvents(one: String, other: String) {
        #expect(contradict(one, other))
    }

    @Test(arguments: [
        // One text has both figures: what was before, what was expected, a revision.
        ("Inflation slows to 2.4% from 3.1%", "Inflation was 3.1% in April"),
        ("Inflation slows to 2.4%, against a forecast of 2.6%", "Inflation expected at 2.6%"),
        ("GDP growth revised up to 3.0% from 2.8%", "US economy grew 2.8% in second quarter"),
        // Other measures: the core, a month, a change, the rate of unemployment.
        ("US inflation slows to 2.4%", "US core inflation rises to 3.1%"),
        ("US inflation picks up to 2.9%", "US consumer prices rise 0.3% in month"),
        ("US consumer prices rise 0.3%", "US consumer prices rise 2.9% on year"),
        ("US jobless claims fall to 212,000", "US jobless claims fall by 9,000"),
        ("US employers add 254,000 jobs", "US unemployment dips to 4.1%"),
        ("Japan economy grows 0.4% in quarter", "Japan GDP grows 1.7% annualised"),
        ("Retail sales fall 0.4%", "Industrial output rises 0.2%"),
        // One figure in other words, roundings and directions.
        ("US employers add 254K jobs", "Payrolls rise by 254,000, unemployment rate dips"),
        ("Turkish inflation eases to 48.58%", "Turkey's inflation falls to 48.6%"),
        ("Inflation ticks up to 2.4%", "Inflation eases to 2.4%, less than expected"),
        ("German economy shrinks 0.1%", "Germany's GDP contracts by 0.1%"),
        ("Inflation fällt auf 1,6 Prozent", "Inflation in Germany falls to 1.6%"),
        // Prices rise while inflation slows; growth slows while the economy grows.
        ("US consumer prices rise less than expected", "US inflation cools to 2.2% in May"),
        ("China's economy grows 4.8%", "China's economic growth slows"),
        // A limit, a goal and a fear are no figures of what happened.
        ("French inflation drops below 2%", "France's inflation falls to 1.8%"),
        ("Inflation nears 2% target", "Inflation slows to 2.2%"),
        ("Inflation fears rise", "US inflation slows to 2.4%"),
        // No figure of an economy.
        ("Apple profit rises 4%", "Apple profit falls 6%"),
    ])
    func figuresThatOneEventMayHaveSayNothingAgainstIt(one: String, other: String) {
        #expect(!contradict(one, other))
    }

    @Test(arguments: [
        "Inflation 99999999999999% in May", "Inflation rises to -%", "US inflation 2.4.5.6% or 1,2,3%",
        "GDP grows ٣٪ as PMI hits 1e9%", "US adds 999999999999999K jobs", "Inflation %", "Exports $ € bn 5-6%",
    ])
    func aHeadlineOfOddNumbersIsRead(title: String) {
        let reading = HeadlineReading(title: title)
        #expect(!reading.figures.contradicts(reading.figures))
    }
}
