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

    /// As a sentence in a language names it behind its "you hold": "Since you hold bank shares, …".
    package func name(in language: Language = .english) -> String {
        let names = names
        return switch language {
        case .english: names.english
        case .german: names.german
        case .spanish: names.spanish
        case .french: names.french
        }
    }

    private var names: (english: String, german: String, spanish: String, french: String) {
        switch self {
        case .technology:
            ("technology shares", "Technologieaktien", "acciones tecnológicas", "des actions technologiques")
        case .chips:
            (
                "shares of chip makers", "Aktien von Chipherstellern", "acciones de fabricantes de chips",
                "des actions de fabricants de puces"
            )
        case .banks: ("bank shares", "Bankaktien", "acciones de bancos", "des actions bancaires")
        case .finance:
            (
                "shares of insurers and other financial firms", "Aktien von Versicherern und anderen Finanzfirmen",
                "acciones de aseguradoras y otras financieras", "des actions de groupes financiers"
            )
        case .health:
            (
                "health care shares", "Aktien von Gesundheitsfirmen", "acciones de la salud",
                "des actions de la santé"
            )
        case .consumer:
            (
                "shares of shops and consumer brands", "Aktien von Händlern und Marken", "acciones de tiendas y marcas",
                "des actions de magasins et de marques"
            )
        case .media:
            (
                "shares of media and telephone companies", "Aktien von Medien- und Telefonfirmen",
                "acciones de medios y de telefonía", "des actions de médias et de télécoms"
            )
        case .cars:
            (
                "shares of car makers", "Aktien von Autoherstellern", "acciones de fabricantes de coches",
                "des actions de constructeurs automobiles"
            )
        case .industry: ("industrial shares", "Industrieaktien", "acciones industriales", "des actions industrielles")
        case .travel:
            ("travel shares", "Aktien von Reisefirmen", "acciones de viajes", "des actions de sociétés de voyage")
        case .energy: ("energy shares", "Energieaktien", "acciones de energía", "des actions énergétiques")
        case .utilities:
            (
                "shares of utilities", "Aktien von Versorgern", "acciones de servicios públicos",
                "des actions de services publics"
            )
        case .materials:
            (
                "shares of makers of raw materials", "Aktien von Rohstofffirmen", "acciones de materias primas",
                "des actions de matières premières"
            )
        case .property: ("property shares", "Immobilienaktien", "acciones inmobiliarias", "des actions immobilières")
        case .crypto: ("crypto assets", "Kryptowerte", "criptoactivos", "des cryptoactifs")
        case .stocks: ("stocks", "Aktien", "acciones", "des actions")
        }
    }

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
