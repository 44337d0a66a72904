/// What calm French does not say.
enum FrenchCalm {
    static let lists: [CalmRule: CalmList] = [
        .advice: advice, .pressure: pressure, .drama: drama, .odds: odds, .conditions: conditions, .warnings: warnings,
    ]

    private static let names = [
        "reader": "vous|tu|on|chacun|investisseur|investisseurs|actionnaire|actionnaires|épargnant*|porteur|porteurs",
        "modal": """
        devez|devriez|dois|devrais|devrait|devraient|doit|doivent|pouvez|pourriez|peut|peux|peuvent|pourrait|\
        pourraient|gagneriez|gagneraient|auriez|auraient|avez|feriez|ferait|feraient
        """,
        "trade": """
        acheter|racheter|vendre|conserver|garder|renforcer|alléger|céder|investir|attendre|patienter|agir|sortir|\
        entrer|réduire|augmenter|revoir|vérifier|diversifier|arbitrer|liquider|surveiller|suivre|éviter|profiter|\
        saisir|réagir|acquérir|rééquilibrer|consulter|prendre|encaisser
        """,
        "buy": """
        acheter|vendre|conserver|renforcer|alléger|investir|attendre|patienter|agir|sortir|entrer|céder|\
        arbitrer|saisir|profiter|revoir|encaisser
        """,
        "wise": """
        judicieux|prudent|sage|opportun|conseillé|recommandé|préférable|raisonnable|avisé|avantageux|\
        intéressant|indiqué
        """,
    ]

    private static let advice = CalmList(
        words: names,
        lines: """
            {reader} _2 {modal} mieux|intérêt|tort|à|de|bien|tout|peut|être? _4 {trade}
            devez|devriez|pouvez|pourriez|pourriez vous _4 {trade}
            il faut|faudrait|fallait _3 {buy}
            faut il _3 {buy}
            convient|conviendrait|s _1 agit de {buy}
            !au temps|moment|heure|occasion|raison|opportunité|signal d|de|pour|idéal? de|d|pour? {buy}|achat
            bon|meilleur|mauvais moment pour|de
            n est pas un mauvais moment
            place|part dans _2 portefeuille|portefeuilles
            pourquoi ne pas _1 {trade}
            mieux vaut|vaudrait _2 {trade}
            vaut|vaudrait mieux _2 {trade}
            {wise} _1 de|d _2 {trade}
            {trade} _5 {wise}
            achat|vente|cession _4 {wise}
            conseillons|recommandons|conseille|recommande|suggérons|recommandent|conseillent _3 {buy}|achat|vente
            envisager|songer|penser à|d|de|une|la|l? vente|achat|cession|{buy}
            ^ achetez|vendez|gardez|conservez|attendez|patientez|agissez|profitez|évitez|renforcez|allégez|sortez|\
            foncez|surveillez|vérifiez|consultez|saisissez|restez|diversifiez|prenez|encaissez|cédez|investissez
            achetez|vendez|foncez|agissez|dépêchez|revendez
            n attendez|achetez|hésitez
            ne vendez|ratez|manquez|tardez|restez|paniquez|cédez
            prendre|prenez|prise|encaisser|encaissez|empocher de|vos|ses|des|les|leurs? bénéfices|profits|gains|plus
            objectif|objectifs de cours
            opportunité|opportunités|occasion d|de achat|vente
            point|points d|de entrée|sortie
            couper|coupez|limiter _1 pertes
            rester|restez investi*
            {reader} _3 de près
            suivez|suivre|surveiller|surveillez _4 de près
            gardez|garder un œil|oeil
            restez|rester à|aux l? écoute|aguets|affût|informé*|vigilant*|attentif*
            renseignez|informez vous
            en savoir plus
            lisez _2 suite|plus
            propres recherches
            conseiller financier
            vérif*|revo*|revoyez _1 votre|vos|ton portefeuille|positions|compte
            {wise} _3 constituer|bâtir|ouvrir|prendre|étoffer _5 position|positions
            peu|guère|aucune de? raison|raisons de|d rester|attendre|patienter
            rester à l écart
            ceux|celles|quiconque qui? entre|entrent|achète|achètent|vend|vendent maintenant|aujourd
            pourquoi attendre|hésiter|tarder
            valeur|valeurs refuge
            """)

    private static let pressure = CalmList(
        words: names,
        lines: """
            urgent*|immédiatement|impératif|impérativement|dépêch*|incontournable*
            !services|service|état|mesures|aide d urgence
            y a urgence
            sans attendre|tarder|délai|hésiter|perdre
            au plus vite|tôt
            le plus vite|rapidement possible
            avant qu il _2 trop
            trop tard
            dernière|dernières chance|occasion|opportunité
            ne ratez|manquez|loupez
            ne laissez|laisser|laissons _2 passer|filer|échapper
            une minute|seconde|instant à perdre
            de temps à perdre
            à ne pas manquer|rater
            à saisir
            temps presse
            temps est compté
            compte à rebours
            maintenant ou jamais
            c est le moment
            c est maintenant
            faites|agir|agissez|faire|réagir vite
            {reader} devez|doit|doivent|devriez savoir|connaître|lire
            il faut savoir|lire|voir
            ce qu il faut savoir
            rester sur la? touche|carreau
            fenêtre _3 ferm*
            bras croisés
            mains vides
            qui|quiconque attend|attendent|tarde|tardent|hésite|hésitent trop
            sur la touche
            dès maintenant|aujourd
            """)

    private static let drama = CalmList(
        lines: """
            effondr*|dégringol*|écroul*|krach*|plonge|plongent|plongé|plongée|plongeon|plongeait|plongeant
            catastroph*|désastr*|panique|paniqué*|paniquer|chaos|chaotique*|alarmant*|alarme
            explose|explosent|explosé|explosée|explosif*|explosive*|explosait|flambe|flambent|flambée|flambé
            s envole|envolent|envolait|envolera
            envolé|envolés|envolée|envolées
            massif|massifs|massive|massives|massivement|spectaculaire*|dramatique*|dramatiquement|incroyable*
            hallucinant*|fulgurant*|vertigineu*|stupéfiant*|époustouflant*|sidér*|choc|chocs|choquant*|choqué*
            sans précédent
            carnage|folie|frénésie|frénétique*|tourmente|débâcle|déroute|débandade|tsunami|raz de? marée?
            dévisse|dévissent|dévissé|décroche|décrochent|sombré|hécatombe|naufrage
            coup de tonnerre|massue|tabac
            onde de choc
            bain de sang
            chute|chutes libre|vertigineuse
            garanti|garantis|infaillible*|terrifiant*|effrayant*|cauchemar*|apocalyp*|ruine|ruineu*|brutal*
            sans risque
            le|au pire est|à|reste _2 venir|craindre|redouter
            au pire
            préparez|accrochez vous
            ceintures
            inquiétant*|préoccupant*|funeste*|ravage*
            !d|de|aucune|aucun|pas|sans|peu lieu|raison|raisons|motif|motifs|quoi de _2 s? inquiéter|alarmer|paniquer|craindre
            !pas|rien|sans de quoi _1 inquiéter|alarmer|redouter|craindre|trembler|frémir
            perd|perdent|perdre|perdra|perdront le sommeil
            vive|vives|sérieuse|sérieuses|profonde|grande|forte inquiétude|inquiétudes
            redoubler|extrême|plus|grande grande? prudence
            sur ses|vos|leurs gardes
            mauvais augure|présage
            rien de bon|rassurant
            sombre|sombres perspective*|avenir|présage|jours|tableau|scénario
            heures sombres
            grave|graves danger|dangers|péril
            signal|signaux d alarme
            sonnette d alarme
            montagnes russes
            vers la lune
            pénible*|calvaire|spirale|traversée
            fissure*|lézarde*
            laisse|laissent présager|craindre|augurer
            mal|peu|difficilement|pas _3 dormir|dormiront|dormira|sommeil
            nuits blanches|agitées
            semaines|mois|temps|hiver|années|période amer*|amèr*|douloureu*|agité*|difficile|difficiles|houleu*|éprouvant*
            angoiss*|malaise|impitoyable*|regretter*|regrettera
            pire _4 venir
            orage|tempête|nuages _2 prépare|préparent|gronde|grondent|amoncell*|couve
            sol|terrain _6 sous _3 pieds
            préparer|préparent|préparez au pire
            ne tient|tiennent qu|plus? qu? à un fil
            en fumée
            bord du|de gouffre|précipice|abîme
            épargne|gains|économies _5 balay*|englout*|emport*
            poudrière
            bombe à retardement
            clou _3 cercueil
            étau _3 resserre
            """)

    private static let odds = CalmList(
        words: [
            "n": """
            #|un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|vingt|trente|quarante|cinquante|soixante|cent
            """
        ],
        lines: """
            {n} %|pour cent? de chance|chances|probabilité*|risque|risques|certitude
            probabilité* _8 {n} %|pour|sur|contre
            chance|chances _4 {n} %|pour|sur|contre
            probable* _2 {n} %|pour
            {n} chance|chances|probabilité* sur|contre|de {n}
            {n} fois sur {n}
            {n} cas sur {n}
            dans {n} % des cas
            cinquante cinquante
            50 50
            cinquante pour cent
            pile ou face
            deux tiers de chances
            une chance sur
            """)

    private static let conditions = CalmList(
        lines: """
            si vous|tu|on _2 détenez|possédez|avez|êtes|détiens|possèdes|as|investissez|détient|possède _3 action*|\
            titre*|actionnaire|part|parts|investi|investisseur
            si vous|tu|on _1 détenez|possédez|investissez|détiens|possèdes
            au cas où vous
            pour ceux|celles|quiconque|quelqu|tous|investisseurs|actionnaires _2 qui _2 détiennent|possèdent|ont|\
            détient|possède|investissent
            ceux qui _2 détiennent|possèdent
            peut|pourrait|peuvent|pourraient _1 affecter|toucher|peser|nuire|réduire|influencer|faire _2 votre|vos|\
            ton|tes portefeuille|placements|épargne|argent|actions|investissements|positions
            """)

    private static let warnings = CalmList(
        lines: """
            attention|prudence|prudent*|averti*|risque*|danger*|menac*|inquiét*|incertain*|incertitude*|vigilan*|gare
            mais|cependant|toutefois|néanmoins|pourtant|quoique
            bien que
            sauf si
            à moins
            reste à voir
            l avenir dira
            affaire à suivre
            """)
}
