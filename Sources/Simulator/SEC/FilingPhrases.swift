/// The sentences of invented filings. They vary by company, and some of the risks by year, as those of real ones do.
enum FilingPhrases {
    private static func industry(_ company: CompanyFile) -> String { company.sicDescription.lowercased() }

    static func business(_ company: CompanyFile) -> [String] {
        let field = industry(company)
        return [
            "\(company.name) sells products and services in the field of \(field). Its customers are companies and "
                + "people who come back because changing to a rival would cost them time and money.",
            "The company sells about two thirds of its products through its own sales force and its own shops, and one "
                + "third through resellers. It earns money when a product is sold and again with each year of service.",
            "Customers stay for eight years on average. They stay since their staff is trained on the company’s "
                + "products, and since their data and their spare parts fit no other maker’s.",
            "The company competes with a few large rivals and with many small ones. It competes by quality, by the "
                + "breadth of its products and by service, and seldom by price.",
            "New rivals find it hard to enter the market, because approvals take years and because the company holds "
                + "about four thousand patents, of which most last for another ten years.",
            "The company has raised its prices in each of the last five years by about as much as its costs rose, and "
                + "it lost few customers by it.",
            "Raw materials come from about two hundred suppliers. For most of them there is a second source; for one "
                + "part there is a single supplier, with whom the company has a contract of several years.",
            "The company makes its products in nine factories and spends on research what its rivals spend. It employs "
                + "engineers in four countries and trains its own technicians.",
            "Its business is seasonal: the last quarter of a year is the strongest, since many customers spend the rest "
                + "of their budgets then. Orders that are not yet filled amount to about a third of yearly revenue.",
            "Laws on the safety of products, on data and on the environment apply to the company. Compliance with them "
                + "has not had a material effect on its capital expenditure or its competitive position.",
            "Management uses cash first for the upkeep and growth of the business, then for dividends, and buys back "
                + "shares when it holds the price to be below their value.",
            "The company’s people are its most important resource. Of those who joined in the last five years, nine of "
                + "ten are still with it. A tenth of the pay of all employees depends on the results of the company.",
        ]
    }

    /// A risk that a quarterly report has and the annual report before it has not.
    static let riskOfTheQuarter =
        "Since our annual report a customs duty on electronic parts from abroad has been announced. If it comes into force, "
        + "our purchases could become dearer, and we may not be able to pass all of that on to our customers."

    static func risks(_ company: CompanyFile, _ year: Int) -> [String] {
        var risks = [
            "Our business could be harmed by a weak economy, in which customers may put off buying our products, and "
                + "we may not be able to reduce our costs as fast as our revenue falls.",
            "A few large customers could take much of their business to others. Our ten largest customers account for "
                + "\(20 + year % 7) % of our revenue, and the loss of one of them could adversely affect our results.",
            "We depend on one supplier for an important part. If that supplier could not deliver, our production may "
                + "stop for weeks, and our results would be harmed.",
            "Our rivals may offer new products or lower prices. Some of them have more capital than we do and may use "
                + "it to gain customers at a loss, which could adversely affect our margins.",
            "Attacks on our computers, or on those of our suppliers, could interrupt our business and disclose data of "
                + "our customers, and could harm our reputation in a way that lasts.",
            "Our products may have faults. A recall could be costly, could harm our brand, and may lead to claims that "
                + "our insurance does not cover in full.",
            "Laws and taxes may change in the countries in which we do business. Tariffs could raise the cost of our "
                + "parts, and we may not be able to pass that cost on to our customers.",
            "We could lose key people. Rivals may hire our engineers, and we may not find others with their knowledge "
                + "in time, which could adversely affect the development of products.",
            "A strong dollar could reduce what our sales abroad are worth. We hedge a part of that risk, and hedges may "
                + "not work as we expect.",
            "Our patents may be found invalid, or others may claim that we use theirs. Litigation about patents could "
                + "be costly, and its outcome cannot be foreseen.",
            "We have debt that we must repay or replace. If interest rates were higher then, our results could be "
                + "adversely affected; our debt agreements may also limit what we can do.",
            "Natural disasters could destroy one of our factories. It may take a year or more to replace what it makes, "
                + "and customers may turn to others meanwhile.",
            "The price of our stock may fall even when our results are good, since it depends on expectations that we "
                + "cannot control and that could be disappointed.",
            "We may not be able to buy other companies at prices that make sense, and companies that we have bought may "
                + "not earn what we expected, which could lead to losses by impairment.",
            "Our results depend on estimates and judgements, and these may turn out to be wrong. We may have to correct "
                + "results that we have reported, which could harm the trust of investors in us and adversely affect the "
                + "price of our stock.",
            "The demand for what we sell in the field of \(industry(company)) may change faster than we can change our "
                + "products. If customers come to prefer other solutions, our revenue could fall for years.",
            "Public health emergencies could close our factories or those of our suppliers, and customers may be "
                + "unable to take delivery of what they have ordered from us.",
        ]
        if year % 2 == 0 {
            risks.append(
                "New rules for artificial intelligence could limit how we use data of our customers. Authorities in "
                    + "several countries have announced such rules, and what they will ask of us is not yet known.")
        } else {
            risks.append(
                "Shortages of freight could delay our deliveries. Ports and railways have been congested of late, and "
                    + "we may have to use air freight, which costs a multiple of what shipping costs.")
        }
        return risks
    }

    static func discussion(_ company: CompanyFile, _ year: Int) -> [String] {
        [
            "Revenue increased compared with the year before, mostly because prices rose and because service revenue "
                + "increased with the number of products in use. Volumes of products were about the same.",
            "The cost of sales increased less than revenue. Freight became cheaper, and the factories worked closer to "
                + "their capacity, so that the gross margin increased compared with the year before.",
            "Operating expenses increased as the company hired engineers and salespeople. As a part of revenue they "
                + "were about the same as in the year before.",
            "Cash from operations was more than net income, as in each of the last five years. The company spent about "
                + "half of it on capital expenditure, a quarter on dividends and a quarter on buying back its shares.",
            "The company has paid a dividend in each of the last twelve years and has raised it in nine of them. The "
                + "board intends to keep the dividend below half of net income.",
            "Management judges its use of capital by the return on invested capital. It approves a project when it "
                + "expects a return of at least 15 % after tax over the life of the project.",
            "Liquidity is sufficient for the next twelve months and beyond. The company has cash, marketable securities "
                + "and a line of credit that it has not used, and no large debt is due before \(year + 3).",
            "Interest expense decreased compared with the year before, since the company repaid a loan at its end. The "
                + "effective tax rate was about the same.",
            "Results of the segment for products increased, and results of the segment for services increased faster, "
                + "because renewals were higher than the company had expected and because few customers left.",
            "In \(year + 1) the company expects that revenue will grow about as fast as in \(year), that margins will "
                + "stay where they are, and that capital expenditure will increase with a new factory. These are "
                + "expectations, and results may differ from them for the reasons that the risk factors name.",
            "Estimates that matter most for the results are those of the useful life of factories, of the value of "
                + "goodwill, and of what warranties will cost. None of them changed in a material way in \(year).",
            "Inflation has had a moderate effect. Wages and materials increased by about three per cent, and prices "
                + "were raised by about as much, with a delay of one quarter.",
        ]
    }

    static func statements(_ company: CompanyFile, _ year: Int) -> [String] {
        (1...12).map { note in
            "Note \(note). The consolidated financial statements of \(company.name) for \(year) follow the accounting "
                + "principles of the United States. Amounts are in millions of dollars unless a line says otherwise."
        }
    }
}
