/// Funds that are traded like shares and that many users hold. They report holdings and no earnings, so there are no
/// company's figures to research.
///
/// The SEC's list of tickers has only some of them, so that a ticker that is missing there is not unknown for it.
package enum ListedFund {
    /// The name of the fund with a symbol in capitals; `nil` for other symbols.
    package static func name(of symbol: String) -> String? { names[symbol] }

    /// All of them: symbol and name.
    static let all = names.sorted { $0.key < $1.key }.map { (symbol: $0.key, name: $0.value) }

    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for line in list.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2 { names[String(parts[0])] = String(parts[1]) }
        }
        return names
    }()

    private static let list = """
        AGG iShares Core U.S. Aggregate Bond ETF
        ARKK ARK Innovation ETF
        BIL SPDR Bloomberg 1-3 Month T-Bill ETF
        BND Vanguard Total Bond Market ETF
        BNDX Vanguard Total International Bond ETF
        DIA SPDR Dow Jones Industrial Average ETF Trust
        EEM iShares MSCI Emerging Markets ETF
        EFA iShares MSCI EAFE ETF
        ETHA iShares Ethereum Trust ETF
        EWJ iShares MSCI Japan ETF
        FBTC Fidelity Wise Origin Bitcoin Fund
        FXI iShares China Large-Cap ETF
        GBTC Grayscale Bitcoin Trust
        GDX VanEck Gold Miners ETF
        GLD SPDR Gold Shares
        HYG iShares iBoxx $ High Yield Corporate Bond ETF
        IAU iShares Gold Trust
        IBIT iShares Bitcoin Trust ETF
        IEFA iShares Core MSCI EAFE ETF
        IEMG iShares Core MSCI Emerging Markets ETF
        IJH iShares Core S&P Mid-Cap ETF
        IJR iShares Core S&P Small-Cap ETF
        ITOT iShares Core S&P Total U.S. Stock Market ETF
        IVV iShares Core S&P 500 ETF
        IVW iShares S&P 500 Growth ETF
        IWM iShares Russell 2000 ETF
        JEPI JPMorgan Equity Premium Income ETF
        JEPQ JPMorgan Nasdaq Equity Premium Income ETF
        KWEB KraneShares CSI China Internet ETF
        LQD iShares iBoxx $ Investment Grade Corporate Bond ETF
        QQQ Invesco QQQ Trust
        QQQM Invesco NASDAQ 100 ETF
        RSP Invesco S&P 500 Equal Weight ETF
        SCHB Schwab U.S. Broad Market ETF
        SCHD Schwab U.S. Dividend Equity ETF
        SCHF Schwab International Equity ETF
        SCHG Schwab U.S. Large-Cap Growth ETF
        SCHX Schwab U.S. Large-Cap ETF
        SGOV iShares 0-3 Month Treasury Bond ETF
        SHY iShares 1-3 Year Treasury Bond ETF
        SLV iShares Silver Trust
        SMH VanEck Semiconductor ETF
        SOXX iShares Semiconductor ETF
        SPLG SPDR Portfolio S&P 500 ETF
        SPY SPDR S&P 500 ETF Trust
        TIP iShares TIPS Bond ETF
        TLT iShares 20+ Year Treasury Bond ETF
        TQQQ ProShares UltraPro QQQ
        URTH iShares MSCI World ETF
        USO United States Oil Fund
        VB Vanguard Small-Cap ETF
        VEA Vanguard FTSE Developed Markets ETF
        VEU Vanguard FTSE All-World ex-US ETF
        VGK Vanguard FTSE Europe ETF
        VGT Vanguard Information Technology ETF
        VIG Vanguard Dividend Appreciation ETF
        VNQ Vanguard Real Estate ETF
        VO Vanguard Mid-Cap ETF
        VOO Vanguard S&P 500 ETF
        VT Vanguard Total World Stock ETF
        VTI Vanguard Total Stock Market ETF
        VTV Vanguard Value ETF
        VUG Vanguard Growth ETF
        VWO Vanguard FTSE Emerging Markets ETF
        VXUS Vanguard Total International Stock ETF
        VYM Vanguard High Dividend Yield ETF
        XLE Energy Select Sector SPDR Fund
        XLF Financial Select Sector SPDR Fund
        XLI Industrial Select Sector SPDR Fund
        XLK Technology Select Sector SPDR Fund
        XLP Consumer Staples Select Sector SPDR Fund
        XLU Utilities Select Sector SPDR Fund
        XLV Health Care Select Sector SPDR Fund
        XLY Consumer Discretionary Select Sector SPDR Fund
        """
}
