internal import Basics

/// The weight of a word before the day's counts are known.
///
/// A day's own counts cannot distinguish a generic word (`report`) from the word of a large story: both are frequent.
/// So the words common to headlines of all years are listed here and count for little; every other word counts in full.
enum CommonWords {
    /// Words without a subject: they do not count.
    static let functional = set(functionalWords)

    private static let functionalWords =
        """
        a about above after again against ago all almost along already also although always am among an and another any
        anyone anything are aren't around as at away back be became because become becomes been before behind being
        below between both but by came can can't cannot come comes coming could couldn't did didn't do does doesn't doing
        don't done down during each either else enough especially even ever every everyone everything far few for from
        further get gets getting give gives given go goes going gone got had has hasn't have haven't having he he'd he'll
        he's her here here's hers herself him himself his how however i i'd i'll i'm i've if in instead into is isn't it
        it's its itself just keep keeps kept let let's like likely made make makes making many may maybe me might mine more
        most much must my myself near nearly need needs neither never no nobody none nor not nothing now of off often on
        once one only onto or other others our ours out over own per perhaps put puts rather really same say says said
        saying see seen seem seems she she'd she's should shouldn't since so some somebody someone something soon still
        such take takes taken taking than that that's the their theirs them themselves then there there's these they
        they'd they'll they're they've thing things this those though through thus to together too took toward towards
        try trying under until up upon us use used uses using very via vs was wasn't way ways we we'll we're we've well
        went were weren't what what's whatever when where whether which while who who's whom whose why will with within
        without won't would wouldn't yes yet you you'll you're you've your yours yourself
        amid amp com www http https html org
        """

    /// Journalistic words: they mark news, a price or a date, and hardly a subject.
    static let generic = set(genericWords)

    private static let genericWords =
        """
        able access accord according account accuse accused across act acts action actions add added adds admit admits
        advance ahead aim aims air alert alleged allegedly allow allows american americans amount analysis analyst analysts
        announce announced announces announcement annual answer answers apart appeal appear appears approach april area
        article ask asks asked asking attack attempt august average avoid award awards b bad ban bank banks based battle
        beat beats begin begins behind believe benefit best better big bigger biggest bill billion bit blame blames block
        blog blue bn board body book books boost boosts bottom box boy break breaking breaks brief briefing bring brings
        broker brings build building business businesses buy buying buys call calls called campaign cap car care case cases
        cash cast cause caused causes celebrate central ceo chance change changes changing charge charged charges chart
        chief child children choice city claim claims class clear clip close closed closer closes club co cold column
        comment comments commission committee common community companies company compare comparison complete concern
        concerns confirm confirmed confirms conference consider considering considers continue continues control cost costs
        could council country county couple course court cover create created creates credit crisis critical critics cross
        current currently cut cuts daily damage data date daughter david day days dead deal deals death debate debt debut
        december decide decision decline declines deep defend defends delay delays demand demands department despite detail
        details development die died dies difference different digital director discover discuss discusses dollar dollars
        double doubt draw drive drop dropped drops due earlier early earning earnings ease east easy economic economy
        edge editor effect effort efforts eight emerge end ended ending ends energy enter entry episode equity error estimate
        estimates event events eve evening evidence exactly exchange exclusive executive exec executives expect expectations
        expected expects expert experts explain explains explained extra eye eyes face faces facing fact facts fail fails
        failed failure fall falling falls fame family fan fans fast faster father favorite fear fears feature features
        february federal feel feels fell fight fighting fights figure figures file filed files film final finally finance
        financial find finds finding firm firms first fiscal five fix flat floor focus follow following follows food force
        forced forecast forget form former forward found four free fresh friday friend friends front fuel fuels full fun
        fund funds fund fuse future gain gains gallery game games george get girl give global goal gold good government
        grand great green ground group groups grow growing grows growth guide guidance guy half hall hand hands happen
        happened happens hard head heads health hear hearing heart heat help helped helping helps high higher highest
        highlight highlights hint hints history hit hits hold holding holds holiday home homes hope hopes host hot hour
        hours house huge human hundred hurt hurts idea image images impact important improve inc include includes including
        increase increased increases index indicate industry info inside insider international internet interview introduce
        introduces investigation invest investing investment investor investors invite involve involved issue issues item
        jack james jan january job jobs john join joins joint july jump jumps june key kid kids kill killed kind know known
        knows la lack land large largest last late later latest launch launched launches launching law lawsuit lead leader
        leaders leading leads leak leaked leaks learn least leave leaves leaving led left legal less level life lift lifts
        light limit limited line link list listen little live lives living llc load local london long longer look looking
        looks lose loses losing loss losses lost lot love low lower lowest ltd made main major maker makers man manage
        manager march mark market marketing markets mass massive match matter matters may mean meaning means media meet
        meeting member members memo men message michael middle mike million millions mind minister minute minutes miss
        missing mistake mix mln mobile model modest moment monday money month monthly months morning mother move moved
        movement moves movie moving mr mrs ms music mystery n name named names nation national nations near new news next
        nice night nine no. nomination north note notes notice november number numbers october offer offered offering offers
        office official officials oil old online open opened opening opens operation opinion option options order orders
        original outlook outside overall owner page paid pain paper parent parents part parties partner party pass past
        path paul pay paying payment pays peak people percent perfect performance period person personal phone photo photos
        pick picks picture pictures piece place plan planned planning plans play played player playing plays plunge plus
        pm point points police policy political poll poor popular portfolio position positive possible post posted posts
        potential pound power powerful pre preview premier prepare present president press pressure pretty prevent price
        priced prices prime private pro probably problem problems process product production products profit profits
        program project promise prospect protect prove public publish published push pushes q1 q2 q3 q4 quarter quarterly
        question questions quick quickly quit quote race rain raise raised raises raising rally range rank rate rated
        rating ratings re reach reaches read reading ready real reality reason reasons recap receive received receives
        recent recently record recover recovery red reduce region regulator regulators reject rejects relate related release
        released releases remain remains remark remember report reported reportedly reporter reports request require
        research resign resigns response rest result results retail retire return returns reveal revealed reveals revenue
        review reviewed reviews rich right rights rise rises rising risk risks rival river road robert rock role room roundup
        round row rule rules rumor rumors rumour rumours run running runs s safe safety sale sales save says scene schedule
        school science score scores season second secret secretary sector security sees seek seeks sell selling sells
        senate senior sent september serious service services session set sets setting seven shake share shared
        shareholder shareholders shares shift shock shop short shot show showing shows side sign signs sight similar simple
        single site six size slide slides slip slips slow slows small smart social sold solution son song source sources
        south speak speaks special speech speed spend spending split sport sports spot spotlight st staff stage stand standard
        star stars start started starting starts state states statement station stay step stephen steve steps stock stocks
        stop stopped stops store stores story straight strategy street strike strong stronger struggle struggles study
        stuff style success sue suffer suggest suggests suit summary summer sunday super support sure surge surges surprise
        surprises survey suspect system t talk talking talks target targets team tech technology teen tell tells ten term
        terms test tests thank think thinks third thomas thousand thousands threat threaten three thursday tie time times
        tip tips title today told tomorrow tonight top tops total touch tough tour town trade trader traders trading train
        trend trends trial trouble true trust truth tuesday turn turns tv tweet tweets twice two type uk ultimate unit
        united university unveil unveiled unveils update updated updates upgrade us usa user users valuation value version
        victim video videos view viewer views visit voice vote wait wake walk wall want wants war warn warned warning
        warns watch watching watchers water weak wear weather web website wednesday week weekend weekly weeks west white
        wide wife win winner winning wins winter wish woman women wonder word words work worked worker workers working
        works world worry worries worse worst worth write writer wrong year years young york yr
        """

    /// The words of both lists as they are written.
    static let written = Set(
        (functionalWords + " " + genericWords).listed)

    private static func set(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: \.isWhitespace).map { Stemmer.stem($0.filter { $0 != "'" && $0 != "." }) })
    }
}
