package import Basics

/// A group of holdings that news may touch together, such as the shares of banks.
///
/// What a story means for holders is written once for each group and not for each reader: which groups a reader is in
/// follows from the reader's tickers alone.
package enum HoldingGroup: String, Sendable, Hashable, CaseIterable {
    case technology, chips, banks, finance, health, consumer, media, cars, industry, travel, energy, utilities
    case materials, property, crypto
    /// Every share.
    case stocks

    /// As a sentence names it: "Since you hold bank shares, …".
    package var name: String {
        switch self {
        case .technology: "technology shares"
        case .chips: "shares of chip makers"
        case .banks: "bank shares"
        case .finance: "shares of insurers and other financial firms"
        case .health: "health care shares"
        case .consumer: "shares of shops and consumer brands"
        case .media: "shares of media and telephone companies"
        case .cars: "shares of car makers"
        case .industry: "industrial shares"
        case .travel: "travel shares"
        case .energy: "energy shares"
        case .utilities: "shares of utilities"
        case .materials: "shares of makers of raw materials"
        case .property: "property shares"
        case .crypto: "crypto assets"
        case .stocks: "stocks"
        }
    }

    /// The name in the language of an explanation.
    package func name(in language: Language) -> String {
        guard language != .english, let names = Self.names[self] else { return name }
        return switch language {
        case .english: name
        case .german: names.german
        case .spanish: names.spanish
        case .french: names.french
        }
    }

    private static let names: [HoldingGroup: (german: String, spanish: String, french: String)] = [
        .technology: ("Technologieaktien", "acciones tecnológicas", "des actions technologiques"),
        .chips: (
            "Aktien von Chipherstellern", "acciones de fabricantes de chips", "des actions de fabricants de puces"
        ),
        .banks: ("Bankaktien", "acciones de bancos", "des actions de banques"),
        .finance: (
            "Aktien von Versicherern und Finanzfirmen", "acciones de aseguradoras y financieras",
            "des actions d'assureurs et de sociétés financières"
        ),
        .health: ("Gesundheitsaktien", "acciones de salud", "des actions du secteur de la santé"),
        .consumer: (
            "Aktien von Händlern und Konsummarken", "acciones de comercios y marcas de consumo",
            "des actions de commerces et de marques"
        ),
        .media: (
            "Aktien von Medien- und Telefonfirmen", "acciones de medios y telefonía",
            "des actions de médias et d'opérateurs"
        ),
        .cars: (
            "Aktien von Autoherstellern", "acciones de fabricantes de coches",
            "des actions de constructeurs automobiles"
        ),
        .industry: ("Industrieaktien", "acciones industriales", "des actions industrielles"),
        .travel: ("Reiseaktien", "acciones de viajes", "des actions du voyage"),
        .energy: ("Energieaktien", "acciones de energía", "des actions de l'énergie"),
        .utilities: ("Versorgeraktien", "acciones de servicios públicos", "des actions de services publics"),
        .materials: ("Rohstoffaktien", "acciones de materias primas", "des actions de matières premières"),
        .property: ("Immobilienaktien", "acciones inmobiliarias", "des actions immobilières"),
        .crypto: ("Kryptowerte", "criptoactivos", "des cryptoactifs"),
        .stocks: ("Aktien", "acciones", "des actions"),
    ]

    /// The groups of a ticker, the narrowest first. A ticker that no list knows is a share.
    package static func of(_ ticker: String) -> [HoldingGroup] {
        let group = TickerSymbol(ticker).flatMap { groups[$0.text] }
        return group == .crypto ? [.crypto] : [group, .stocks].compactMap(\.self)
    }

    private static let groups: [String: HoldingGroup] = {
        var groups: [String: HoldingGroup] = [:]
        for (group, tickers) in members {
            for ticker in tickers.split(separator: " ") { groups[String(ticker)] = group }
        }
        return groups
    }()

    private static let members: [(HoldingGroup, String)] = [
        (
            .technology,
            """
            AAPL MSFT GOOGL GOOG META ORCL CRM ADBE NOW INTU WDAY SNOW PLTR CRWD PANW FTNT ZS NET DDOG MDB TEAM SHOP \
            ZM DOCU TWLO OKTA DELL HPQ HPE IBM CSCO ANET SMCI ACN ADSK AKAM APP AI CDNS SNPS CRWV FICO FIG GTLB HUBS \
            INFY IONQ JNPR LOGI MSI NICE NOK ERIC NTES SAP SNAP PINS RDDT SONO STX WDC TCEHY BIDU TTD UBER LYFT XRX \
            XIACY SSNLF GLW GRMN DUOL FISV GPN
            """
        ),
        (
            .chips,
            """
            NVDA AMD INTC AVGO TSM QCOM TXN MU AMAT LRCX KLAC ASML ARM ADI MRVL GFS LSCC MCHP NXPI ON STM WOLF
            """
        ),
        (
            .banks,
            """
            JPM BAC WFC C GS MS USB PNC TFC COF DB UBS BCS HSBC ING SAN BK STT BBVA BMO BNPQY BNS FITB KEY LYG MFG MTB \
            MUFG NDA NU NWG RF RY SMFG SOFI TD
            """
        ),
        (
            .finance,
            """
            BRK-A BRK-B V MA SCHW BLK BX KKR AXP PYPL XYZ HOOD NDAQ ICE CME SPGI MCO AIG MET PRU TRV ALL PGR CB AFL AFRM \
            AJG AON APO ARES DFS EFX FDS IBKR MSCI PFG RKT SYF UPST ADP PAYX
            """
        ),
        (
            .health,
            """
            LLY UNH JNJ ABBV MRK PFE BMY AMGN GILD BIIB REGN VRTX MRNA BNTX NVO AZN GSK NVS SNY CI CVS ELV HUM MCK ABT \
            MDT ISRG BSX SYK TMO DHR ALGN BAX BDX CAH CNC COR DXCM EW GEHC HCA ILMN IQV NVAX PHG PYXS RHHBY SMMT TEVA \
            VTRS WBA ZBH ZTS
            """
        ),
        (
            .consumer,
            """
            AMZN WMT COST HD LOW PG KO PEP MCD SBUX CMG YUM QSR DPZ KHC MDLZ GIS HSY TSN KR TGT BBY GAP M KSS DG DLTR \
            TJX ROST URBN DKS ANF AEO LULU NKE ULTA EL CL KMB CLX PM MO BTI HLF EBAY ETSY GME PTON BABA JD PDD SE MELI \
            ADM BBWI BG BJ BUD BURL BYND CAG CART CHD CHWY CPB CPNG CPRI CROX DANOY DASH DECK DEO DRI FIVE FL HAS HNNMY \
            HRL IDEXY JWN K KDP KVUE LEVI LRLCY LVMUY MAT MKC MNST NSRGY NWL OLLI PUMSY PVH RL STZ SYY TAP TPR TSCO \
            TXRH UA UL VFC VSCO W WEN WHR WING WSM YETI
            """
        ),
        (
            .media,
            """
            DIS NFLX CMCSA WBD PSKY FOXA SPOT RBLX EA TTWO SONY T VZ TMUS CHTR MTCH ROKU AMC AMX LUMN NTDOY SIRI VOD
            """
        ),
        (
            .cars,
            """
            TSLA TM HMC F GM STLA RIVN LCID RACE HOG NIO LI XPEV BMWYY BYDDY CVNA FSR FUJHY HYMTF KIMTF KMX MBGYY NSANY \
            POAHY RNO VWAGY AZO GPC GT ORLY
            """
        ),
        (
            .industry,
            """
            BA LMT RTX NOC GD LHX GE GEV HON MMM CAT DE EMR UPS FDX UNP CSX NSC WM ABB APH BAESY CARR CMI CNI CP CTAS \
            EADSY ETN FERG GWW IR ITW JCI ODFL OSK OTIS PCAR PH ROK RSG SBGSY SIEGY SWK TEL VRT SPCE
            """
        ),
        (.travel, "ABNB BKNG EXPE DAL UAL AAL LUV JBLU CCL RCL MAR HLT MGM DKNG CZR FLUT LVS NCLH RYAAY WYNN"),
        (
            .energy,
            """
            XOM CVX COP OXY SLB HAL BP SHEL TTE EOG KMI BKR DVN ENB EQNR FANG HES LNG MPC OKE PBR PSX SU VLO WMB FSLR \
            ENPH PLUG
            """
        ),
        (.utilities, "NEE DUK SO D PCG VST CEG AEP ED EONGY EXC NGG PEG SRE XEL"),
        (
            .materials,
            """
            LIN DOW DD FCX NEM AA NUE CLF BHP RIO VALE ALB APD CTVA ECL GLNCY HMY IFF IP LYB MT PKG PPG SHW X
            """
        ),
        (.property, "AMT PLD SPG O DHI LEN EQIX FRT IRM PGRE PHM PSA Z"),
        (
            .crypto,
            """
            BTC ETH SOL XRP BNB DOGE ADA LTC DOT AVAX LINK SHIB XLM XMR BCH TRX USDT USDC TON UNI PEPE SUI NEAR APT ATOM \
            FIL ETC HBAR ARB AAVE
            """
        ),
        // Companies whose business is coins move with them.
        (.finance, "COIN MSTR MARA RIOT CRCL"),
    ]
}
