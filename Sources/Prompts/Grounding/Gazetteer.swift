internal import Basics

/// Countries and cities with their names in four languages, and well-known companies.
enum Gazetteer {
    /// A place that a text names.
    struct Place {
        var id: String
        /// The country of a city.
        var country: String?
        var range: Range<Int>
    }

    private struct Form: Sendable {
        var words: [String]
        /// Whether the last word is only a beginning: `german` of `Germany's`, `Germans`.
        var isBeginning: Bool
        var id: String
        var country: String?
    }

    /// The places that words name, in their order. A country counts by the names of its people and things, too.
    static func places(in words: [CalmWords.Word]) -> [Place] {
        var found: [Place] = []
        var place = 0
        while place < words.count {
            let folded = words[place].folded
            guard let form = forms[FirstBytes(folded, 3)]?.first(where: { matches($0, at: place, words) }) else {
                place += 1
                continue
            }
            found.append(Place(id: form.id, country: form.country, range: place..<(place + form.words.count)))
            if let country = form.country {
                found.append(Place(id: country, country: country, range: place..<(place + form.words.count)))
            }
            place += form.words.count
        }
        return found
    }

    private static func matches(_ form: Form, at place: Int, _ words: [CalmWords.Word]) -> Bool {
        guard place + form.words.count <= words.count else { return false }
        // Names are written with a capital; what belongs to a country is not in French, Spanish and German.
        let head = words[place].isCapitalised
        if !head, !form.isBeginning { return false }
        for (offset, wanted) in form.words.enumerated() {
            let word = words[place + offset].folded
            let isLast = offset == form.words.count - 1
            guard isLast && form.isBeginning ? word.hasPrefix(wanted) && word.count <= wanted.count + 5 : word == wanted
            else { return false }
        }
        return true
    }

    private static let forms: [FirstBytes: [Form]] = {
        var forms: [FirstBytes: [Form]] = [:]
        func add(_ written: Substring, _ id: String, _ country: String?) {
            let isBeginning = written.last == "~"
            let words = (isBeginning ? written.dropLast() : written).split(separator: "_").map(String.init)
            forms[FirstBytes(words[0], 3), default: []].append(
                Form(words: words, isBeginning: isBeginning, id: id, country: country))
        }
        for line in countries.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let id = words.first else { continue }
            let cities = words.firstIndex(of: "|") ?? words.endIndex
            for form in words[1..<cities] { add(form, String(id), nil) }
            for city in words[cities...].dropFirst() {
                let names = city.split(separator: "=")
                for name in names { add(name, String(names[0]), String(id)) }
            }
        }
        return forms.mapValues { list in list.sorted { $0.words.count > $1.words.count } }
    }()

    /// An id, the forms of the country and, behind a bar, its cities with their names in other languages.
    private static let countries = """
        us united_states usa vereinigte_staaten vereinigten_staaten estados_unidos etats_unis eeuu american~ amerikan~ amerika americain~ estadounidens~ u_s | washington new_york=nueva_york chicago
        uk united_kingdom britain great_britain england grossbritannien vereinigtes_konigreich reino_unido gran_bretana royaume_uni british britisch~ britanic~ britanniq~ englisch~ | london=londres
        germany germany german~ deutschland deutsch~ alemania aleman alemana alemanas alemanes allemagne allemand~ | berlin frankfurt=francfort munich=munchen=munchner hamburg=hamburgo=hambourg cologne=koln=colonia
        france france french frankreich franzos~ francia frances francesa franceses francesas francais~ | paris lyon marseille=marsella
        spain spain spanish spanien spanisch~ espana espanol~ espagne espagnol~ | madrid barcelona=barcelone seville=sevilla valencia
        italy italy italian~ italien italienisch~ italia italien~ italie | rome=rom=roma milan=mailand=milano turin=torino naples=neapel=napoles
        portugal portugal portug~ | lisbon=lissabon=lisboa=lisbonne porto=oporto
        netherlands netherlands dutch niederland~ holland paises_bajos neerland~ pays_bas | amsterdam rotterdam=roterdam
        belgium belgium belgian belgien belgisch~ belgica belgique belge belges | brussels=brussel=bruxelles=bruselas antwerp=antwerpen=amberes=anvers
        switzerland switzerland swiss schweiz schweizer~ suiza suizo suizos suisse suisses | zurich basel=bale=basilea geneva=genf=ginebra=geneve bern=berne=berna
        austria austria osterreich~ autriche autrichien~ | vienna=wien=viena=vienne
        poland poland polish polen polnisch~ polonia pologne polonais~ | warsaw=warschau=varsovia=varsovie
        russia russia russian~ russland russisch~ rusia ruso rusos rusa russie russe russes | moscow=moskau=moscu=moscou
        ukraine ukraine ukrain~ ucrania | kyiv=kiew=kiev
        turkey turkiye turkei turkisch~ turquia turquie | ankara istanbul=estambul
        sweden sweden swedish schweden schwedisch~ suecia sueco suede suedois~ | stockholm
        norway norway norwegian norwegen norweg~ noruega norvege | oslo
        denmark denmark danish danemark danisch~ dinamarca danois~ | copenhagen=kopenhagen=copenhague
        finland finland finnish finnland finlandia finlande | helsinki
        ireland ireland irish irland irisch~ irlanda irlande | dublin
        greece greece greek griechen~ grecia griego grece | athens=athen=atenas=athenes
        hungary hungary hungarian ungarn hungria hongrie | budapest
        czechia czechia czech tschech~ chequia tchequie | prague=prag=praga
        romania romania rumanien rumania roumanie
        china china chinese chinesisch~ chino china chinos chine chinois~ | beijing=peking=pekin shanghai=schanghai
        hongkong hong_kong hongkong
        taiwan taiwan taiwanes~
        japan japan japanese japanisch~ japon japones~ japonais~ | tokyo=tokio
        korea south_korea korea korean sudkorea~ corea coree coreen~ | seoul=seul
        india india indian indien indisch~ indie inde indien~ | mumbai=bombay delhi
        vietnam vietnam vietnamese
        thailand thailand thai tailandia thailande
        indonesia indonesia indonesien indonesie
        malaysia malaysia malasia malaisie
        singapore singapore singapur singapour
        philippines philippines philippinen filipinas
        australia australia australian australien australie | sydney
        newzealand new_zealand neuseeland nueva_zelanda
        canada canada canadian~ kanada kanadisch~ canadien~ canadiens~ canadienses | toronto
        mexico mexico mexican mexiko mexikan~ mexicano mexique mexicain~
        brazil brazil brazilian brasilien brasil brasileno bresil bresilien~
        argentina argentina argentin~ argentinien argentine
        chile chile chilean chilen~ chili
        peru peru peruvian peruan~ perou
        colombia colombia colombian kolumbien colombie
        venezuela venezuela
        southafrica south_africa sudafrika~ sudafrica afrique_du_sud
        nigeria nigeria
        egypt egypt agypten egipto egypte
        morocco morocco marokko marruecos maroc
        kenya kenya kenia
        israel israel israel~
        saudi saudi saudi_arabia saudi~ arabia_saudi arabie_saoudite | riyadh
        emirates emirates emirat~ emiratos emirats | dubai
        qatar qatar katar
        iran iran iran~
        iraq iraq irak
        pakistan pakistan
        bangladesh bangladesh
        """

    /// Companies that a model knows by heart, by the first word of their name.
    static let companies: Set<String> = Set(
        """
        alphabet google amazon microsoft nvidia tesla netflix facebook walmart costco pepsico nestle novartis roche
        siemens allianz volkswagen bmw mercedes daimler bayer basf adidas lufthansa totalenergies lvmh sanofi danone
        renault stellantis peugeot airbus boeing ryanair inditex santander bbva iberdrola repsol telefonica caixabank
        unilever astrazeneca glaxosmithkline pfizer moderna novo lilly merck abbvie amgen intel amd qualcomm broadcom tsmc
        samsung hynix toyota honda nissan hyundai sony alibaba tencent baidu byd huawei openai anthropic spacex uber
        airbnb paypal mastercard jpmorgan goldman citigroup barclays hsbc ubs blackrock vanguard berkshire exxonmobil
        exxon chevron aramco gazprom rosneft glencore starbucks mcdonald nike disney spotify zalando heineken ikea lidl
        aldi carrefour auchan tesco sainsbury loreal schneider asml philips ericsson nokia maersk equinor volvo spotify
        coinbase binance robinhood palantir snowflake salesforce oracle ibm cisco dell lenovo kraft mondelez hershey
        lindt caterpillar deere fedex dhl ups verizon vodafone orange comcast moodys fitch deloitte kpmg mckinsey
        bloomberg reuters
        """.listed)
}
