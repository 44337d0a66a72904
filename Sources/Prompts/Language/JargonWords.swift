internal import Basics

/// The terms of finance that people who own investments and do not work in finance would have to look up, and the words
/// by which a text explains one, in one language.
///
/// Words such as `dividend` or `inflation` are not among the terms. Each term has a sentence that flags it and one that
/// explains it in `JargonTermsTests`.
struct JargonWords {
    /// In lower case, words by spaces. Endings of `endings` may follow each word.
    let terms: [String]
    /// Longer terms that everybody knows, although a shorter one is in them.
    let known: [String]
    let endings: [String]
    /// Whether a compound such as `EBITDA-Marge` is its first part.
    let hasCompounds: Bool
    /// The words by which a text introduces a term after it has said what it is.
    let introductions: Set<String>
    /// `or`, where a comma stands before it.
    let alternatives: Set<String>
    /// The words that set off an explanation behind a term and a comma.
    let apposition: [String]
    /// The words of a sentence that says what something is.
    let definitions: [String]
    /// The words that open a sentence about what was just said.
    let references: [String]
    /// The words that say the same again.
    let restatements: [String]
    /// Terms by their first word, longer ones first.
    private let index: [String: [(words: [String], isKnown: Bool)]]

    private init(
        terms: String, known: [String] = [], endings: [String], hasCompounds: Bool = false, introductions: Set<String>,
        alternatives: Set<String>, apposition: [String], definitions: [String], references: [String],
        restatements: [String]
    ) {
        func list(_ text: String) -> [String] {
            text.split { $0 == "," || $0.isNewline }.map {
                $0.split(separator: " ").joined(separator: " ")
            }.filter { !$0.isEmpty }
        }
        self.terms = list(terms)
        self.known = known
        self.endings = endings
        self.hasCompounds = hasCompounds
        (self.introductions, self.alternatives) = (introductions, alternatives)
        (self.apposition, self.definitions, self.references) = (apposition, definitions, references)
        self.restatements = restatements
        var index: [String: [(words: [String], isKnown: Bool)]] = [:]
        for (terms, isKnown) in [(self.terms, false), (known, true)] {
            for term in terms {
                let words = term.split(separator: " ").map(String.init)
                index[words[0], default: []].append((words, isKnown))
            }
        }
        self.index = index.mapValues { $0.sorted { $0.words.count > $1.words.count } }
    }

    static func of(_ language: Language) -> JargonWords {
        switch language {
        case .english: english
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    /// The term that begins at a place.
    func term(at place: Int, in words: [Jargon.Word]) -> (words: [String], isKnown: Bool)? {
        let candidates = forms(of: words[place].text).flatMap { index[$0] ?? [] }
        return candidates.first { candidate in
            guard place + candidate.words.count <= words.count else { return false }
            return candidate.words.enumerated().allSatisfy { offset, word in
                forms(of: words[place + offset].text).contains(word)
            }
        }
    }

    /// The word, and without the endings of its language.
    private func forms(of word: String) -> [String] {
        var forms = [word]
        for ending in endings where word.count > ending.count + 1 && word.hasSuffix(ending) {
            forms.append(String(word.dropLast(ending.count)))
        }
        if hasCompounds, let mark = word.firstIndex(of: "-") { forms.append(String(word[..<mark])) }
        return forms
    }

    private static let english = JargonWords(
        terms: """
            ebitda, ebit, eps, p/e, pe ratio, price-to-earnings, price to earnings, roe, roic, capex, opex,
            capital expenditure, gross margin, operating margin, net margin, free cash flow, diluted earnings,
            operating leverage, leverage, leveraged buyout, deleveraging, run rate, top line, bottom line, headwind,
            tailwind, guidance, forward guidance, consensus estimate, basis point, bps, yield curve, yield spread,
            credit spread, bond yield, treasury yield, quantitative easing, quantitative tightening, tapering,
            hawkish, dovish, fomc, fed funds, federal funds rate, repo, reverse repo, liquidity, convexity,
            derivative, credit default swap, interest rate swap, call option, put option, implied volatility,
            volatility index, vix, short interest, short squeeze, hedge, hedging, arbitrage, securitization,
            securitisation, collateralized, collateralised, tranche, subordinated debt, mezzanine, convertible note,
            convertible bond, senior note, covenant, amortization, amortisation, impairment, write-down, writedown,
            accrual, gaap, non-gaap, dilution, market cap, market capitalization, market capitalisation,
            multiple expansion, valuation multiple, sell-side, buy-side, overweight, underweight, year-over-year,
            yoy, qoq, comparable sales, same-store sales, like-for-like, book-to-bill, net interest margin,
            net interest income, tier 1 capital, cet1, pmi, core pce, pce, cpi, ppi, gdp, nonfarm payroll,
            stagflation, disinflation, monetary tightening, ipo, spac, lbo, m&a, poison pill, chapter 11, contango,
            backwardation, sharpe ratio, drawdown, risk premium, carry trade, margin call, mark-to-market,
            off-balance-sheet, pro forma
            """,
        known: ["hedge fund"], endings: ["s"],
        introductions: ["called", "termed", "named", "so-called", "known"], alternatives: ["or"],
        apposition: [
            "which ", "that is", "meaning", "or ", "a ", "an ", "the ", "i.e.", "in other words", "what ", "how ",
        ],
        definitions: [
            " is a ", " is an ", " is the ", " is what ", " is how ", " is money ", " is profit ", " is when ",
            " is one ", " are a ", " are the ", " are what ", " are those ", " are loans ", " means ", " mean ",
            " measures ", " measure ", " stands for ", " refers to ", " refer to ", " describes ", " describe ",
            " counts ", " compares ", " says how ", " shows how ", " tells how ",
        ],
        references: ["that ", "this ", "it ", "they ", "these ", "such ", "in plain words", "put simply"],
        restatements: ["in other words"])

    private static let german = JargonWords(
        terms: """
            ebitda, ebit, kgv, kurs-gewinn-verhältnis, eigenkapitalrendite, kapitalrendite, bruttomarge, rohmarge,
            betriebsmarge, nettomarge, operative marge, umsatzrendite, free cashflow, free cash flow,
            freier cashflow, freien cashflow, cashflow, cash flow, capex, opex, guidance, forward guidance,
            basispunkt, zinskurve, zinsstrukturkurve, risikoaufschlag, risikoprämie, renditeaufschlag, spread,
            anleiherendite, quantitative lockerung, quantitative straffung, tapering, falkenhaft, taubenhaft,
            hawkish, dovish, fomc, repo, repogeschäft, liquidität, derivat, kreditausfallversicherung, zinsswap,
            swap, call-option, put-option, kaufoption, verkaufsoption, implizite volatilität, vix,
            leerverkauf, leerverkaufsquote, short squeeze, hedging, absicherungsgeschäft, arbitrage, verbriefung,
            tranche, nachranganleihe, nachrangige anleihe, mezzanine, wandelanleihe, covenant, kreditklausel,
            wertberichtigung, goodwill, geschäftswert, verwässerung, marktkapitalisierung, bewertungsmultiple,
            sell-side, buy-side, übergewichten, untergewichten, flächenbereinigt,
            flächenbereinigter umsatz, book-to-bill, zinsmarge, nettozinsmarge, zinsüberschuss, kernkapitalquote,
            cet1, einkaufsmanagerindex, pmi, bip, stagflation, disinflation, straffung, ipo,
            spac, lbo, m&a, giftpille, chapter 11, contango, backwardation, sharpe-ratio, drawdown, carry trade,
            margin call, nachschusspflicht, außerbilanziell, pro forma, organisches wachstum, operativer
            hebelwirkung, hebel, verschuldungsgrad, nettoverschuldung, zweitrundeneffekt, duration
            """,
        known: ["hedge fonds"], endings: ["s", "n", "en", "e", "er", "es", "em"], hasCompounds: true,
        introductions: [
            "genannt", "genannte", "genannten", "sogenannte", "sogenannten", "sogenannter", "sogenanntes", "heißt",
            "heißen", "bekannt", "kurz",
        ],
        alternatives: ["oder"],
        apposition: [
            "also ", "das heißt", "d. h.", "das ist", "das sind", "sprich", "oder ", "der ", "die ", "das ", "ein ",
            "eine ", "einem ", "einer ", "einen ", "gemeint ", "was ", "wie ", "mit anderen worten",
        ],
        definitions: [
            " ist ein ", " ist eine ", " ist der ", " ist die ", " ist das ", " ist, was ", " ist geld", " ist gewinn",
            " sind ein", " sind die ", " sind das ", " bedeutet", " bedeuten", " misst", " messen", " bezeichnet",
            " steht für ", " stehen für ", " beschreibt", " vergleicht", " gibt an", " sagt, ", " zeigt, ", " heißt, ",
            " meint ", " zählt ",
        ],
        references: [
            "das ", "dies ", "dieser ", "diese ", "dieses ", "er ", "sie ", "es ", "so ", "damit ", "gemeint ",
        ],
        restatements: ["das heißt", "mit anderen worten", "anders gesagt", "gemeint ist"])

    private static let spanish = JargonWords(
        terms: """
            ebitda, ebit, bpa, roe, roic, capex, opex, margen bruto, margen operativo, margen neto,
            margen de intereses, flujo de caja libre, flujo de caja, cash flow, apalancamiento, guidance,
            forward guidance, punto básico, curva de tipos, curva de rendimientos, prima de riesgo,
            diferencial de crédito, diferencial de tipos, expansión cuantitativa, relajación cuantitativa,
            endurecimiento cuantitativo, endurecimiento monetario, tapering, hawkish, dovish, fomc, repo, liquidez,
            derivado financiero, permuta de incumplimiento, permuta de tipos, swap, opción de compra,
            opción de venta, volatilidad implícita, vix, posición corta, venta en corto, short squeeze,
            hedging, titulización, tramo mezzanine, deuda subordinada, deuda sénior, bono convertible, covenant,
            deterioro de activos, fondo de comercio, amortización de activos, dilución, capitalización bursátil,
            múltiplo, múltiplo de beneficios, sobreponderar, infraponderar, ventas comparables,
            ventas en superficie comparable, book-to-bill, capital de nivel 1, cet1, pmi, ipc, ipp, pib,
            estanflación, desinflación, opv, spac, lbo, m&a, píldora venenosa, contango,
            ratio de sharpe, drawdown, carry trade, ajuste de márgenes, fuera de balance, pro forma,
            crecimiento orgánico, relación precio-beneficio, precio-beneficio, deuda neta, ratio de solvencia,
            ratio de eficiencia, efectos de segunda ronda,
            duración modificada
            """,
        endings: ["s", "es"],
        introductions: [
            "llamado", "llamada", "llamados", "llamadas", "denominado", "denominada", "denominados", "denominadas",
            "conocido", "conocida", "conocidos", "conocidas", "llama", "llaman",
        ],
        alternatives: ["o"],
        apposition: [
            "es decir", "o sea", "esto es", "o ", "que ", "lo que ", "el ", "la ", "los ", "las ", "un ", "una ",
            "cuánto ", "en otras palabras",
        ],
        definitions: [
            " es un ", " es una ", " es el ", " es la ", " es lo que ", " es dinero", " son un", " son los ",
            " son las ", " son lo que ", " significa", " mide", " quiere decir", " equivale", " indica", " describe",
            " compara", " se refiere", " dice cuánto", " muestra cuánto", " representa",
        ],
        references: [
            "eso ", "esto ", "esta ", "este ", "ese ", "esa ", "se trata", "así ", "un ", "una ", "ello ",
        ],
        restatements: ["es decir", "o sea", "en otras palabras", "dicho de otro modo", "se trata de"])

    private static let french = JargonWords(
        terms: """
            ebitda, ebit, bpa, roe, roic, capex, opex, marge brute, marge opérationnelle, marge nette,
            flux de trésorerie, flux de trésorerie disponible, cash-flow, cash flow, effet de levier,
            effet de levier opérationnel, guidance, forward guidance, point de base, courbe des taux,
            prime de risque, écart de taux, spread, assouplissement quantitatif, resserrement quantitatif,
            resserrement monétaire, tapering, hawkish, dovish, fomc, repo, liquidité, produit dérivé, swap,
            option d achat, option de vente, volatilité implicite, vix, vente à découvert,
            position courte, short squeeze, hedging, titrisation, mezzanine, dette subordonnée, dette senior,
            obligation convertible, covenant, dépréciation d actifs, écart d acquisition, goodwill, dilution,
            capitalisation boursière, multiple de valorisation, surpondérer, sous-pondérer,
            périmètre constant, périmètre comparable, données comparables, glissement annuel, book-to-bill,
            marge nette d intérêts, produit net bancaire, ratio de solvabilité, cet1, pmi, ipc, pib,
            stagflation, désinflation, spac, lbo, m&a, pilule empoisonnée, contango,
            ratio de sharpe, drawdown, carry trade, appel de marge, hors bilan, pro forma, croissance organique,
            dette nette, effets de second tour, duration, besoin en fonds de roulement, bfr
            """,
        endings: ["s", "x", "es"],
        introductions: [
            "appelé", "appelée", "appelés", "appelées", "dit", "dite", "dits", "dites", "nommé", "nommée", "connu",
            "connue", "appelle", "baptisé", "baptisée",
        ],
        alternatives: ["ou"],
        apposition: [
            "c'est-à-dire", "c’est-à-dire", "soit ", "ou ", "qui ", "ce que ", "ce qui ", "le ", "la ", "les ", "l'",
            "l’", "un ", "une ", "autrement dit", "à savoir",
        ],
        definitions: [
            " est un", " est une", " est le ", " est la ", " est l'", " est l’", " est ce ", " sont les ", " sont des ",
            " sont ce ", " désigne", " mesure", " signifie", " correspond", " indique", " compare", " décrit",
            " représente", " dit combien", " vaut ", "'est un", "’est un", "'est le ", "’est le ", "'est la ",
            "’est la ", "'est ce ", "’est ce ", "'est l'", "’est l’",
        ],
        references: [
            "c'est", "c’est", "il ", "elle ", "cela ", "ce ", "cette ", "ils ", "elles ", "un ", "une ", "on ",
        ],
        restatements: ["c'est-à-dire", "c’est-à-dire", "autrement dit", "en d'autres termes", "il s'agit"])
}
