extension KnownTopics {
    /// Institutions that make rules, lend, forecast or judge: a line for each, its key and its names. A headline that
    /// has one of the names has the same word as a headline that has another.
    static let institutions = """
        imf: IMF, International Monetary Fund, IWF, FMI, Internationaler Währungsfonds, Fonds monétaire international
        imf: Fondo Monetario Internacional
        worldbank: World Bank, Weltbank, Banque mondiale, Banco Mundial
        wto: WTO, World Trade Organization, World Trade Organisation, Welthandelsorganisation
        wto: Organisation mondiale du commerce, Organización Mundial del Comercio
        health: WHO, World Health Organization, World Health Organisation, Weltgesundheitsorganisation
        oecd: OECD, OCDE, Organisation for Economic Co-operation and Development
        iea: IEA, International Energy Agency
        eia: EIA, Energy Information Administration
        opec: OPEC, OPEP, oil cartel
        bis: BIS, Bank for International Settlements
        commission: EU Commission, European Commission, EU-Kommission, Europäische Kommission, Commission européenne
        commission: Comisión Europea
        ema: EMA, European Medicines Agency
        sec: SEC, Securities and Exchange Commission
        cftc: CFTC, Commodity Futures Trading Commission
        ftc: FTC, Federal Trade Commission
        fcc: FCC, Federal Communications Commission
        fda: FDA, Food and Drug Administration
        faa: FAA, Federal Aviation Administration
        ntsb: NTSB, National Transportation Safety Board
        nhtsa: NHTSA, National Highway Traffic Safety Administration
        fdic: FDIC, Federal Deposit Insurance Corporation
        epa: EPA, Environmental Protection Agency
        irs: IRS, Internal Revenue Service
        justice: DOJ, Department of Justice, Justice Department
        treasury: US Treasury, U.S. Treasury, Treasury Department
        scotus: SCOTUS, US Supreme Court, U.S. Supreme Court
        cma: CMA, Competition and Markets Authority
        fca: FCA, Financial Conduct Authority
        bafin: BaFin
        kartellamt: Bundeskartellamt, Kartellamt
        """

}

extension KnownTopics.Found {
    /// `IMF cuts global growth forecast`, `Bundesbank sees economy stagnating`: what an institution expects of an economy,
    /// by the headline's words in English.
    func forecastGrowth(in words: [String]) -> Bool {
        let set = Set(words)
        let isOfTrade = actors.contains { $0.topic.key == "wto" } && set.contains("trade")
        return actors.contains { $0.topic.kind == .centralBank || Self.forecasters.contains($0.topic.key) }
            && !set.isDisjoint(with: Self.forecasts) && (isOfTrade || !set.isDisjoint(with: Self.growth))
            && set.isDisjoint(with: ["rate", "rates", "inflation"])
    }

    private static let forecasters: Set<String> = ["imf", "worldbank", "oecd", "wto", "bis", "commission"]
    private static let forecasts: Set<String> = [
        "forecast", "forecasts", "outlook", "sees", "expects", "projects", "predicts", "projection", "projections",
        "guidance", "cuts", "lowers", "raises", "lifts", "trims", "halves",
    ]
    private static let growth: Set<String> = ["growth", "growing", "economy", "economic", "gdp"]
}
