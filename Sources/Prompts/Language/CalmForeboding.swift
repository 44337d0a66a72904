internal import Basics

/// Alarm by foreboding, in the languages other than English: somebody who dares not think of what comes, who finds no
/// sleep, for whom time runs out; calm that is over; something that is wrong, or hidden.
enum CalmForeboding {
    static let lists: [Language: CalmList] = [.german: german, .spanish: spanish, .french: french]

    private static let german = CalmList(
        lines: """
            man|wer|niemand|keiner mag|möchte|will|wagt|kann|traut _5 ausmalen|vorstellen|ausdenken
            man|wer|niemand|keiner mag|möchte|will nicht|kaum|lieber|gar _2 wissen|denken|hinsehen
            kaum|nicht|lieber|ungern _2 auszumalen|auszudenken|vorzustellen
            mit|voller grauen|schaudern|bangen|entsetzen|schrecken|grausen
            graut|schaudert|graust _2 vor|bei|davor|man|einem|einen
            lässt|lassen nichts|wenig|kaum gutes
            nichts|wenig gutes ahnen|hoffen|erwarten
            tickt|ticken _2 uhr|uhren
            läuft|rennt|rinnt|zerrinnt|verrinnt die zeit davon|ab|weg
            zeit läuft|rennt|rinnt|zerrinnt _3 davon|ab|weg
            stimmt|stimmte etwas|was _6 nicht
            etwas|irgendetwas|irgendwas|hier|da ist|scheint|läuft _3 faul|oberfaul|im|schief|nicht
            wer weiß|ahnt ,? was|wie|welche|wo
            weiß der himmel|teufel
            fetten|guten|ruhigen|sorglosen|goldenen|bequemen|schönen|leichten|satten jahre|zeiten|tage|monate _6 vorbei|\
            vorüber|gezählt|zu
            zeit|zeiten der _3 ruhe|gelassenheit|sorglosigkeit _4 vorbei|vorüber|um
            raubt|rauben|raubte|raubten|stiehlt|stehlen|nimmt|nehmen|kostet|kosten _6 schlaf|nachtruhe|nerven
            um den schlaf|verstand
            bringt|bringen|brachte _5 um den schlaf
            ein falscher|einziger schritt _6 und
            noch ein _2 , _1 und _5 geschichte|dahin|verloren|weg|vorbei
            wäre|wär|ist _3 beruhigend|tröstlich|schön|bequem , _8 zu glauben|denken|hoffen|meinen
            allen|jeden|guten grund _2 sorge|furcht|angst
            solange _4 ruhig? anhält
            ruhe vor dem
            noch wünschen , _6 nie
            nur|erst|bloß der|ein anfang|auftakt|vorgeschmack|vorbote
            nächste|nächsten mal _6 nicht|niemand|keiner
            """)

    private static let spanish = CalmList(
        lines: """
            da|dan|daba|produce|provoca|pone escalofrío*|vértigo|miedo|pavor|pánico|grima|pelos
            escalofrío*|vértigo|miedo|pavor pensar|imaginar
            asusta|espanta|aterra|estremece|duele|inquieta pensar|imaginar
            cuesta|mejor|nadie|ni no? _1 quiere? imaginar|imaginarse|pensar
            no _2 presagia*|augura*|anuncia*|promete* _2 nada|bueno|bien
            nada bueno
            algo _1 huele|anda|va|marcha|funciona|falla|está|pasa _1 mal|bien|raro|podrido|torcido
            algo no _1 cuadra|encaja|funciona|va|marcha|anda
            gato encerrado
            quién|quien sabe|sabrá|sabría qué|que|cuánto|cuántos|cuántas|hasta|cómo
            se les|le|nos? acaba|agota|termina|escapa|va el tiempo
            tiempo se _2 acaba|agota|termina|escapa
            el reloj corre|avanza|apremia|aprieta
            quita|quitan|roba|roban|quitaba _5 sueño
            sin dormir|sueño
            días|años|tiempos|meses|época|temporada _2 tranquil*|buen*|fácil*|dorad*|feli*|plácid* _6 acab*|contad*|atrás|\
            termin*|fin|historia|pasad*
            buen*|tranquil*|mejor*|felices días|años|tiempos _6 acab*|contad*|atrás|termin*|fin|historia
            días contados
            vacas gordas
            un paso en falso
            un solo|mal paso|trimestre|verano|invierno _4 y _6 perdid*|acab*|historia
            sería|resulta cómodo|tranquilizador|bonito|agradable|consolador pensar|creer|suponer
            motivos|razones de sobra para temer|preocup*|temblar
            mientras dure|duren
            la calma antes|que
            lo peor _6 venir|llegar
            solo|apenas|sólo el|un primer? principio|comienzo|aviso|anticipo|preludio
            próxima vez _6 nadie|no|quizá|puede
            """)

    private static let french = CalmList(
        lines: """
            on frémit|tremble|frissonne|redoute|craint à|de|d|en|devant
            frémir|trembler|frissonner|frémit|tremble|frissonne à|d _1 idée|pensée|penser
            n ose|osent _2 imaginer|penser|songer|croire|regarder
            ose à peine
            ne|n préfère|veut|veulent|préférerait pas _1 imaginer|penser|savoir|songer
            froid dans le dos
            fait|font peur|frémir|trembler|frissonner
            pire _7 venir
            heure|horloge|montre|pendule|temps tourne|file|presse|fuit|joue
            temps s _1 écoule
            minuterie|compte à rebours
            temps _2 compté
            quelque chose _5 cloche|louche|pourri|anormal|coince|rond|grippe
            ne tourne|tournent|va|vont pas|plus rond
            qui sait|dira ce|combien|jusqu|quel|quelle|quels|quelles|comment
            empêche|empêchent|ôte|ôtent|vole|volent|prive|privent|retire|enlève|enlèvent _6 dormir|sommeil
            beaux|bons|bonnes|belles|tranquilles|faciles|dorées|calmes|heureux jours|années|temps|heures|mois _7 fini*|\
            compté*|derrière|révolu*|termin*|passé*
            jours|années|temps|heures|époque _1 beaux|bons|tranquilles|faciles|dorées|calmes|heureux|heureuse _7 fini*|\
            compté*|derrière|révolu*|termin*|passé*
            jours _5 sont comptés
            vaches grasses
            un seul|faux|mauvais pas|trimestre|été|hiver _6 et
            serait|est rassurant|confortable|commode|réconfortant|agréable de|d croire|penser|imaginer
            aimerait|voudrait _1 croire|penser
            n augure|augurent|annonce|annoncent|présage|présagent rien
            toutes les raisons de|d _2 craindre|redouter|trembler
            tant que cela|ça dure
            calme avant|qui
            n est|serait qu|que le|un premier? début|commencement|avertissement
            avant goût
            prochaine fois _6 personne|ne|n|peut
            """)
}
