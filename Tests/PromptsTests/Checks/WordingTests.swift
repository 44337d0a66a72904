import JSON
import TestSupport
import Testing

@testable import Prompts

@Suite struct WordingTests {
    @Test(arguments: WordingSamples.advice + LaterWordingSamples.advice) func adviceIsFoundInWhateverWords(text: String)
    {
        #expect(WordingRule.advice.problem(in: text) != nil)
    }

    @Test(arguments: WordingSamples.alarm + LaterWordingSamples.alarm) func alarmIsFoundInPoliteWords(text: String) {
        #expect(WordingRule.alarm.problem(in: text) != nil)
    }

    @Test(arguments: WordingSamples.calm + LaterWordingSamples.calm) func calmProseIsNotRefused(text: String) {
        #expect(WordingRule.advice.problem(in: text) == nil)
        #expect(WordingRule.alarm.problem(in: text) == nil)
    }

    /// Sentences of the words of the rules themselves, in any order.
    @Test(arguments: [
        (AdviceWords.patterns, AdviceWords.lists), (AlarmWords.patterns, AlarmWords.lists),
        (AdviceWords.classPatterns, AdviceWords.classLists), (AlarmWords.classPatterns, AlarmWords.classLists),
    ])
    func theIndexLeavesOutNoPatternThatOccurs(patterns: String, lists: [String: String]) {
        let all = patterns.split(whereSeparator: \.isNewline).map { PhrasePattern(String($0), lists: lists) }
        let index = PhraseIndex(all)
        var random = SeededRandom(seed: 7)
        var matches = 0
        for pattern in all {
            for _ in 0..<5 {
                // A word for each element, with other words between them.
                let sentence = pattern.needs.flatMap { choices -> [String] in
                    let words = choices.words.sorted() + choices.prefixes.sorted().map { $0 + "ing" }
                    let filler = Bool.random(using: &random) ? ["the"] : []
                    return [words.randomElement(using: &random) ?? ""] + filler
                }
                let found = all.indices.filter { all[$0].match(in: sentence) != nil }
                matches += found.count
                #expect(Set(index.candidates(in: sentence)).isSuperset(of: found), "\(sentence)")
            }
        }
        #expect(matches > all.count, "\(matches) matches")
        #expect(index.candidates(in: ["zebra"]).isEmpty)
    }

    @Test func wordsOfTheSourceMayBeReported() {
        let text = "The report speaks of a crisis in the valley."
        #expect(WordingRule.alarm.problem(in: text) != nil)
        #expect(WordingRule.alarm.problem(in: text, sources: ["There is a crisis in the valley, it said."]) == nil)
    }

    @Test func wordsThatOnlyLookDifferentAreFound() {
        #expect(WordingRule.advice.problem(in: "Now may be a mo\u{AD}ment to lock\u{A0}in gains.") != nil)
    }

    @Test(arguments: [
        ("He said that \"the plant opens in May\".", false), ("He said that “we are thrilled”.", true),
        ("The plant, \"a turning point for all\", opens in May.", true), ("It is a \"clean\" plant.", false),
        ("“The plant … opens in May,” he said.", false), ("He said: \"The plant [in Ohio] opens in May.\"", false),
        ("The firm's plant isn't the owners' only one.", false), ("«The plant opens in June», he said.", true),
    ]) func wordsInQuotationMarksAreInTheSource(text: String, isStray: Bool) {
        let source = "The plant in Ohio opens in May, the chief executive said."
        let sources = [source, "The plant opens in May."]
        #expect((QuotationRule.strayQuotation(in: text, sources: sources) != nil) == isStray)
    }
}

/// Sentences to hold the patterns against.
private enum WordingSamples {
    static let advice = [
        "Now may be a moment to lock in gains.",
        "Long-term holders have historically been rewarded for adding on weakness.",
        "It might be prudent to trim exposure before the next report.",
        "A cautious owner would take some money off the table.",
        "There has rarely been a better entry point.",
        "The shares look attractive at this level.",
        "Patient investors may find this an appealing opportunity.",
        "The stock deserves a place in any long-term portfolio.",
        "Investors might consider whether now is the time to rotate into safer names.",
        "It may be worth asking whether the shares still belong in a portfolio.",
        "Those who act early tend to do better than those who wait.",
        "For anyone sitting on profits, this could be a sensible point to bank some of them.",
        "The risk and reward now favour buyers.",
        "Accumulating on dips has worked well here.",
        "A small position seems reasonable at today's price.",
        "Holding through the noise has paid off before.",
        "Staying invested has usually been the wiser course.",
        "One could do worse than to own a piece of this business.",
        "The price leaves little downside and plenty of upside.",
        "The shares seem set to recover from here.",
        "Readers may wish to revisit how much of the stock they keep.",
        "It makes sense to wait for a better price.",
        "Some would call this a bargain at the current price.",
        "The valuation leaves room for the shares to rise.",
        "Selling into strength is rarely a mistake.",
        "A buyer at this price gets a wonderful business for a fair sum.",
        "This is one to keep on the watchlist.",
        "You may sleep better with a little less of it.",
        "Perhaps it is time to let some shares go.",
        "Many owners would use such a day to add a little.",
        "Reducing the stake a little would do no harm.",
        "The dip looks like a gift to long-term buyers.",
        "It is hard to see why anyone would sell now.",
        "Getting in before the next report could pay.",
        "A disciplined investor would not be a seller here.",
        "Anyone without shares may want to have some before the split.",
        "At 12 times earnings the stock is too cheap to ignore.",
        "The sensible thing is to do nothing and hold.",
        "Savers would be well advised to move their money.",
        "Taking profits after such a run is never wrong.",
        "The current weakness offers a window for those with patience.",
        "Holders with large gains may find it comforting to realise a portion.",
        "A modest allocation would not be out of place.",
        "Little speaks against picking up a few shares here.",
        "The stock has earned its spot among core holdings.",
        "Investors with a long horizon have little to lose by starting small.",
        "Prudence suggests keeping some powder dry.",
        "It could be time to rotate out of retailers.",
        "The case for owning the shares has rarely been stronger.",
        "At these prices the odds are on the buyer's side.",
        "Income seekers will find the dividend hard to pass up.",
        "The market is handing out a discount.",
        "Longer term, this looks like money well spent.",
        "If the price dips below $200, it becomes interesting.",
        "Conservative portfolios may prefer to stand aside.",
        "One might quietly begin to scale in.",
        "There is still time to get aboard.",
        "Selling a slice into this strength would be understandable.",
        "The shares are worth having for the long run.",
        "Nobody ever went broke taking a profit.",
        "The upside outweighs the risk from here.",
        "Shareholders might use the offer to exit gracefully.",
        "Owning the stock is the simplest way to benefit.",
        "The report argues for patience rather than for exit.",
        "A fair entry would be somewhat lower.",
        "Those looking for growth need look no further.",
    ]

    static let alarm = [
        "It would be unwise to ignore how quickly the ground is shifting.",
        "Holders may want to prepare for a difficult stretch.",
        "This could prove to be the beginning of something far worse.",
        "One would be forgiven for feeling uneasy.",
        "Few will sleep well after this.",
        "Time is not on the company's side.",
        "Those who wait may come to regret it.",
        "The worst may be yet to come.",
        "The company is running out of options.",
        "Storm clouds are gathering over the sector.",
        "There is good reason to be concerned.",
        "The situation deserves your immediate attention.",
        "It is hard to overstate how serious this is.",
        "The coming weeks could be painful for shareholders.",
        "Nobody knows how deep the hole is.",
        "Savings that took years to build could vanish.",
        "Quietly, the foundations are crumbling.",
        "The market has rarely looked so fragile.",
        "What comes next may be considerably worse.",
        "Every day counts now.",
        "The window to respond is closing.",
        "A sense of dread hangs over the trading floor.",
        "The slide may well accelerate from here.",
        "This is a warning sign that should not be dismissed.",
        "The bank finds itself on the brink.",
        "Few can afford to look away.",
        "There may be no way back from this.",
        "The outlook has turned decidedly bleak.",
        "Owners face anxious weeks ahead.",
        "Sooner rather than later, the bill will come due.",
        "The company's survival is now in question.",
        "Confidence is draining away.",
        "Retirement plans may not survive this.",
        "The cracks are beginning to show.",
        "It may already be too late.",
        "Investors would do well to brace themselves.",
        "A long and painful decline seems all but certain.",
        "No one should feel safe.",
        "It is only a matter of time before others follow.",
        "The losses so far may be just the beginning.",
        "Customers are quietly heading for the exits.",
        "The numbers leave little room for comfort.",
        "The margin for error has all but disappeared.",
        "Shareholders have much to lose sleep over.",
        "The calm of recent months may be deceptive.",
        "Beneath the surface, things look far less reassuring.",
        "What was unthinkable a year ago is now on the table.",
        "The next months will test everyone's nerves.",
        "There are few places left to hide.",
        "The trend is heading in a direction that should give pause.",
        "It would be optimistic to assume that the worst is over.",
        "The company can ill afford another quarter like this.",
        "Nerves are fraying among its lenders.",
        "The question is no longer if but when.",
        "The comfortable years are over.",
        "This may mark the start of a long decline.",
        "Much that seemed certain is now in doubt.",
        "Even careful owners could be caught off guard.",
        "The danger is that nobody sees it coming.",
        "The warning could hardly be clearer.",
    ]

    static let calm = [
        "The central bank left its benchmark rate unchanged, as most economists had expected.",
        "The company sold its logistics unit for $2 billion.",
        "Shareholders will receive $52 in cash for each share if the deal closes.",
        "The board recommends the offer to shareholders.",
        "The company bought back shares worth $1.2 billion in the quarter.",
        "Its shares fell 5.2% after the report.",
        "The shares were little changed.",
        "Analysts at Example Securities raised their rating of the company.",
        "There is no reason to expect a quick change.",
        "Nothing in the report asks for a decision today.",
        "The fund manager said that he holds the shares for the long term.",
        "The company plans to raise prices in the spring.",
        "Owners of the trucks can load the new software at home.",
        "Parents can return the bottles to any shop.",
        "Whether the shares are cheap cannot be said from these facts.",
        "No share price was available, so no valuation is made.",
        "The share price asks for 31 times last year's earnings.",
        "A reader would look first at free cash flow beside the price.",
        "Debt rose faster than sales in the last two years.",
        "The margin has narrowed for three years in a row.",
        "A weaker result than last year would count against the business.",
        "Competition could narrow the margin in the coming years.",
        "The company expects sales to fall again in the current quarter.",
        "Unemployment stayed at 4.2% and hourly pay rose 3.8%.",
        "The recall costs about $45 million, the company estimates.",
        "Nobody has been reported ill.",
        "Workers at four warehouses walked out for a day.",
        "The judge did not order the company to sell its browser.",
        "Many loans have a fixed rate for years, so the effect comes slowly.",
        "Since you hold AAPL, this tells you something about a business that you own.",
        "A single quarter says little about how a business does over years.",
        "People often think that a fall in one quarter means that a business is failing.",
        "It is often thought that every headline needs an answer.",
        "The company has time to adjust, and its contracts run for years.",
        "The next report comes in three months.",
        "An inquiry could take two years.",
        "The regulator has asked for more information and has not set a date.",
        "Higher rates make loans dearer, so people and firms borrow less.",
        "The plant will open a year later than planned.",
        "Sales in China fell 11% as shoppers bought fewer shoes.",
        "A margin of safety is the distance between what a business seems to be worth and the lower price that is paid for it.",
        "Diversification means holding many different shares, so that one bad result matters less.",
        "A limit order is an order to buy or sell at a set price or better.",
        "What somebody should own is their own decision; the passage shows what they could look at.",
        "The company added 200 positions in its research department.",
        "The drug is the largest in its portfolio of medicines.",
        "Customers looked for cheaper products, and the company offered smaller packs.",
        "The airline locked in fuel prices for the winter.",
        "The bank moved quickly to replace the card system.",
        "The article does not say what the purchase means for customers.",
        "The purchase gives the company a chance to sell more phones in India.",
        "Traders adjusted the price within hours.",
        "Investors sold the shares after the announcement.",
        "Investors will vote on the plan in May.",
        "Shareholders approved the merger with 91% of the votes.",
        "The dividend was raised to 45 cents a share.",
        "The outage lasted 50 minutes, and all payments work again.",
        "The forecast was lowered to $8.20 a share from $8.90.",
        "The strike stopped a plant for five weeks.",
        "The company lost $2.1 billion in its contract manufacturing arm.",
        "Oil fell 3% to $71.20 a barrel.",
        "Costs grew because the new plants are not yet full.",
        "The score rests on steady margins and on earnings that turn into cash.",
        "The checklist walks away from companies that lose money in most years.",
        "Two competitors have similar drugs in late trials.",
        "The size of this effect cannot be read from the material.",
        "The company faces a lawsuit over its pricing, which it calls without merit.",
        "A good past is no promise that it lasts.",
        "The business depends on one supplier for most of its chips.",
        "Losing that supplier would be costly.",
        "The view would change if the gross margin stayed below its present level for several years.",
        "Prices rose more slowly than in the month before.",
        "Economists call the job market cooler than last year and far from weak.",
        "The reader can put the matter down for today.",
        "Few products of a recall ever show the fault.",
        "Savers will notice first, as banks lower what they pay within weeks.",
        "The company said it would keep investing in its factories.",
        "There is little in the report that was not known before.",
        "Such disputes mostly end with terms for both sides.",
        "Nothing needs to be done today.",
        "The exchange said that no customer lost money.",
        "The founder still owns a third of the shares.",
        "The fall of the share price on one day mostly shows what others had expected.",
        "The company can pay its debts from two years of earnings.",
        "Its debts are large, and interest takes a fifth of its profit.",
        "The main weakness is that sales depend on one product.",
        "Warren Buffett's way of investing asks for a wide margin over cost.",
        "Owners of the business keep about a quarter of each dollar of sales.",
        "The share count fell 3.1% a year, so each share owns more of the business.",
        "An index fund holds the shares of many companies in one package.",
        "The dividend yield is the dividend of a year divided by the share price.",
        "A bond that pays less than new ones do is worth less when rates rise.",
        "You say that the rate stayed the same, which is right; what is missing is the reason.",
        "The text explains how compound interest works and gives an example.",
        "The company will report its next quarter in January.",
        "Amazon said that deliveries go on during the strike.",
        "The committee wants to see more data before it changes course.",
        "The agreement helps the company to sell abroad.",
        "The regulator could ask the companies to sell two plants.",
        "Free cash flow covers the dividend about twice.",
        "Two quarters with falling sales in a row would point to a weaker business.",
        "If orders stay where they are, the forecast can be kept.",
        "The company has sold fewer cars but at better prices.",
        "Analysts had expected a smaller loss.",
        "Nothing is known yet about the cause of the outage.",
        "The price of oil affects what airlines pay for fuel.",
        "Prices of houses rose more slowly than wages.",
        "The head of the union called the offer a good start.",
        "Investors had expected a harsher ruling, and the shares rose 2.8%.",
        "The company is likely to finish the plant next year.",
        "Its rivals have similar products and lower prices.",
        "The bank keeps its forecast for the year.",
        "What counts for a long-term owner is whether margins stay where they are.",
        "Some readers confuse a stock split with a gain; the value of a holding stays the same.",
        "A recall is a regular part of a carmaker's work.",
        "The takeover is not final, since authorities still have to agree.",
        "The shares trade at 31 times earnings, more than the average of ten years.",
        "The purchase of Northwind costs Pfizer $7.4 billion.",
        "Customers waited for the new model, so sales of the old one fell.",
        "There is no sign of a lasting change in the figures.",
        "The company owes more than it owns, which is a weak point by this checklist.",
        "The score of 96 rests on steady margins.",
    ]
}
