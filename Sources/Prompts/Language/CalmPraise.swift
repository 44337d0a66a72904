internal import Basics

/// Advice by its structure, in the languages other than English: a share or a position and a word that praises it as a
/// thing to own, a trade that "one may" make, an owner to whom something is promised.
enum CalmPraise {
    static let lists: [Language: CalmList] = [.german: german, .spanish: spanish, .french: french]

    private static let german = CalmList(
        words: [
            "share": """
            aktie|aktien|anteil|anteile|anteilen|anteilschein*|papier|papiere|papieren|posten|position|positionen|titel|\
            depot|depots
            """,
            "one": "man|sparer*|anleger*|aktionär*|jeder|wer|sie|eigner*|investoren",
            "may": "darf|dürfen|dürfte|dürften|kann|können|könnte|könnten|mag|mögen|soll",
            "no": "nicht|nie|niemals|kaum|keinem|keiner|keinen|kein|schwerlich|niemand*|wenig|nichts",
            "step": """
            kasse|zulangen|zugreifen|zuschlagen|nachlegen|einstreichen|versilbern|bedienen|einsammeln|einpacken|\
            nachfassen|mitnehmen|einsteigen|aussteigen|eindecken|aufspringen|aufstocken|naschen|zukaufen
            """,
            "waited": """
            gewartet|gehofft|gezögert|gezweifelt|gelauert|wartete|hoffte|zögerte|zweifelte|warteten|zögerten|hofften|\
            geliebäugelt
            """,
            "in": "in|im|ins|zu|für|auf",
        ],
        lines: """
            {may} {one} _7 {step}
            {one} {may} _7 {step}
            {share} _8 {no} _4 schaden|schadet|weh|verkehrt*|falsch*|gereuen|reuen|bereuen
            {share} _8 schadet|schaden _6 {no}
            {share} _6 gut|bestens zu gesicht|gesichte
            {share} _3 gehört|gehören|passt|passen|gut? _4 {in} _3 jedes|jede|jedem|jeder|ein|einem|solide*|ruhig*|depot*|\
            sammlung|portfolio*
            gehört|gehören|passt|passen _2 {in} _3 depot*|portfolio*|sparplan
            {share} ist|sind|sei|scheint|wirkt|bleibt|erscheint _8 günstig|preiswert|billig|wohlfeil|kaufenswert|\
            haltenswert|erschwinglich $
            alles andere als teuer|überteuert
            nicht|kaum|wenig zu? teuer $
            wer|diejenigen|alle _8 {waited} _3 hat|haben|bekommt|bekommen|findet|sieht|kann|darf|ist
            wer _5 zeichen|signal|einstieg|gelegenheit _6 hat|bekommt es|ihn|sie jetzt|nun
            sparer*|anleger*|aktionär*|depot* _4 gute|bessere|beste adresse|wahl|hand|partie|idee
            gute|bessere|beste|feine|sichere adresse|wahl|partie _3 sparer*|anleger*|aktionär*|depot*
            sparer*|anleger*|aktionär*|eigner* _6 gut|bestens|bester aufgehoben|bedient|gefahren|hand
            es gibt|gäbe _2 schlechteres|schlimmeres|dümmeres|törichteres|unvernünftigeres
            {one} _6 {no} _3 verkehrt|falsch machen|liegen|macht|machten
            macht|machen|liegt|liegen {one} _6 {no} _3 verkehrt|falsch
            ins|im körbchen|nest
            spricht|sprechen _4 dafür , _2 sich
            {share} _6 beste|besten|bester|klügste|sicherste _1 wahl|anlage|titel|adresse|papiere
            {share} _6 {no} _3 bereut|reut|reuen
            kostet|kosten wenig|nichts|kaum , _3 zu _1 besitzen|halten|haben
            {share} _4 als beimischung|baustein|grundstock
            als beimischung|grundstock _3 taugt|taugen|eignet|eignen
            fuß in die|der tür
            """)

    private static let spanish = CalmList(
        words: [
            "share": """
            acción|acciones|título|títulos|posición|posiciones|participación|participaciones|cartera|carteras|dividendo
            """,
            "who": "quien|quienes|los|aquellos|cualquiera|el",
            "no": "no|nunca|jamás|tampoco|difícilmente|nadie",
            "own": """
            tener|poseer|comprar|guardar|conservar|mantener|entrar|vender|recoger|tomar|subirse|hacerse|ser|añadir
            """,
        ],
        lines: """
            {share} _8 {no} _2 hace|hacen|hará|harán|haría|está|están|estará|estaría|sobra|sobran|viene|vienen|va|van _1 \
            daño|mal|más|mala
            {share} _6 {no} sobra|sobran|estorba|estorban|defrauda|defraudan|molesta
            nada|ningún de? mal|malo|daño en _3 {own}|acciones
            {share} _6 cabe|caben|encaja*|pega|pegan|sitio|lugar|hueco|casa _6 cartera*|ahorro*|patrimonio|bolsillo
            sitio|lugar|hueco en _2 cartera*
            inversor*|ahorrador*|accionista*|quien|quienes _6 bien|mejor atendid*|servid*|acompañad*
            inversor*|ahorrador*|accionista*|quien|quienes _6 buenas|mejores manos
            inversor*|ahorrador*|accionista*|quien|quienes _6 dormir* _2 tranquil*|bien
            {who} _8 {no} se? arrepent*|equivoc*|lament*
            {who} _1 esperaba*|dudaba*|buscaba*|vacilaba*|aguardaba* _8 tiene|tienen|ya|ahora|encuentra*
            apuesta|apuestas|valor|inversión|compra segura|seguras|seguro|redonda|acertada
            sobran|hay|tiene|tendría|da|buenas? _2 razones|motivos|argumentos para _2 hacerse|entrar|subirse|comprar|ser|\
            sumarse
            hacerse socio|socia|accionista|dueño|dueña
            difícil|imposible equivocarse|errar|fallar
            bien se? puede|podría|cabe _4 {own}
            una? buena|gran|sensata|excelente elección|compra|idea|opción _6 ahorr*|inversor*|cartera|accion*
            {share} _6 mejor|mejores elección|opción|apuesta|compra|inversión
            cuesta|cuestan poco|nada _2 {own}
            subirse a bordo|al
            se compra|compran y se _1 olvida|olvidan|guarda|guardan
            esperar|quedarse fuera _3 caro
            la puerta abierta
            """)

    private static let french = CalmList(
        words: [
            "share": """
            action|actions|titre|titres|ligne|lignes|position|positions|portefeuille|portefeuilles|part|parts|dividende
            """,
            "own": """
            détenir|avoir|acheter|garder|posséder|conserver|prendre|mettre|entrer|vendre|acquérir|racheter|monter|\
            embarquer|devenir|être|rester
            """,
            "saver": "investisseur*|épargnant*|actionnaire*|porteur*",
            "place": "portefeuille*|épargne|patrimoine|bas|panier|collection",
        ],
        lines: """
            {share} _6 ne|n _1 fait|font|fera|feront|ferait|feraient|saurait|sauraient _3 mal|tort|nuire|déçoit
            {share} _6 ne|n _1 sont|est|serait|seraient|sera jamais|pas _1 trop|superflu*|perdu*
            aucun|pas|point|rien de? mal|tort à|de _2 {own}
            rien de mal|mauvais à|dans _3 {own}|actions|titres
            {share} _4 a|ont|trouve|trouvent|mérite|méritent|garde|gardent _1 toute? sa|leur|une place
            sa|leur place dans|en|au _4 {place}
            {saver} _6 bonnes|meilleures mains
            {saver}|qui|ceux|celui _8 ne|n _2 regrett*|repent*|plaindr*
            {saver}|qui|ceux|celui _6 dorm* _2 tranquill*|bien|deux
            valeur|valeurs|placement|placements|titre|titres|pari sûr|sûre|sûres|sûrs
            on|chacun|{saver} peut|pourra|pourrait|peuvent|pourraient _4 servir|prendre|encaisser|empocher|revenir|\
            racheter|grignoter|ramasser|engranger|récolter
            qui|quiconque|ceux|celui _1 hésitai*|attendai*|doutai*|guettai*|espérai* _8 a|ont|tient|tiennent|trouve*|voit|\
            voient
            difficile|impossible|dur de se? tromper|regretter
            raison|raisons|motif|motifs|argument|arguments de|d|pour _2 monter|entrer|devenir|embarquer|rejoindre _4 bord|\
            actionnaire*|capital|action|titre
            {share} _6 meilleur|meilleurs|meilleure|meilleures|sage|sages choix|pari|placement|idée|affaire
            bon|bonne|sage|excellent choix|placement|adresse|affaire _5 {saver}|épargne|portefeuille
            coûte peu|rien _2 {own}
            monter|montez à bord
            garde|gardent|garder|achète|achètent|acheter _2 les yeux fermés
            dommage de|d _3 bouder|manquer|ignorer|laisser|vendre|négliger
            """)
}
