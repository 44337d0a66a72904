extension ImpactEvent {
    /// The words by which German, Spanish and French headlines report events. Their letters are without accents, as
    /// words are compared.
    static let patternsOfOtherLanguages: [ImpactEvent: [HeadlinePattern]] = [
        .bankTrouble: HeadlinePattern.list(
            """
            bank|banken|banco|bancos|banque|banques & rettet|rettung|rescate|rescata|sauvetage|sauve|pleite|quiebra|\
            faillite|nationalise|verstaatlicht ! pfandbank
            bankenkrise|bankensturm
            crisis|crise bancaria|bancaire
            """),
        .conflict: HeadlinePattern.list(
            """
            angriff|angriffe|uberfall|invasion|offensive & ukraine|israel|iran|taiwan|russland|russische|gaza
            ataque|ataques|invade|ofensiva|bombardea & ucrania|israel|iran|taiwan|rusia|gaza
            attaque|attaques|envahit|bombarde & ukraine|israel|iran|taiwan|russie|gaza
            waffenruhe|alto el fuego|cessez le feu
            """),
        .publicDebt: HeadlinePattern.list(
            """
            moody|fitch|sp|dbrs & senkt|stuft|degrade|rebaja|abaisse|baja & frankreich|italien|usa|francia|italia|\
            france|italie|deutschland|bonitat|rating|note|nota|calificacion
            staatspleite|zahlungsunfahig
            impago|suspension de deuda|pagos
            defaut de paiement
            """),
        .rates: HeadlinePattern.list(
            """
            leitzins|leitzinsen|leitzinssenkung|zinsschritt|zinssenkung|zinserhohung|einlagenzins
            zinsen|zins & ezb|fed|notenbank|zentralbank|bundesbank|bank & senkt|senken|erhoht|erhohen|lasst|halt|\
            belasst|hebt|heben|unverandert|anhebt
            taux & bce|fed|banque|federale & baisse|baisser|releve|relever|maintient|abaisse|augmente|inchanges|\
            remonte|directeurs
            baisse|hausse|maintien|statu quo des taux
            tipos & bce|fed|banco|reserva & baja|bajar|sube|subir|mantiene|recorta|recortar|eleva|rebaja|interes
            bajada|subida de tipos
            """),
        .inflation: HeadlinePattern.list(
            """
            inflationsrate|teuerung|teuerungsrate|verbraucherpreise|erzeugerpreise
            inflacion|ipc
            prix & consommation
            """),
        .employment: HeadlinePattern.list(
            """
            arbeitslosigkeit|arbeitslosenquote|arbeitslosenzahl|arbeitsmarkt
            desempleo|paro & sube|baja|tasa|cae|registra
            tasa de paro|desempleo
            chomage
            """),
        .growth: HeadlinePattern.list(
            """
            bip|bruttoinlandsprodukt|konjunktur|rezession|pib|recesion
            wirtschaft|economia|economie & wachst|schrumpft|crece|cae|croit|recule|contrae|ralentit|stagniert
            exporte|exportaciones|exportations|industrieproduktion|einzelhandelsumsatz
            """),
        .marketMove: HeadlinePattern.list(
            """
            borse|borsen|aktienmarkt|aktienmarkte|dax & sturzt|fallt|steigt|bricht|einbruch|rutscht|verliert|gewinnt
            borsencrash|kursrutsch|kurssturz
            bolsa|bolsas|ibex & cae|caen|sube|suben|hunde|hunden|desploma|desploman|pierde|gana
            bourse|bourses|cac & chute|chutent|recule|reculent|monte|progresse|plonge|plongent|effondre
            """),
        .tariffs: HeadlinePattern.list(
            """
            zoll|zolle|strafzolle|importzolle|einfuhrzolle
            arancel|aranceles
            droits de douane
            guerre commerciale
            guerra comercial
            handelskrieg
            """),
        .sanctions: HeadlinePattern.list(
            """
            sanktionen & russland|iran|china|verhangt|eu|gegen
            sanciones & rusia|iran|china|ue|impone|contra
            sanctions & russie|chine|ue|contre
            """),
        .bankruptcy: HeadlinePattern.list(
            """
            insolvenz|insolvenzantrag|konkurs|pleite
            faillite|redressement|liquidation judiciaire
            depot de bilan
            quiebra|concurso de acreedores
            """),
        .fraud: HeadlinePattern.list(
            """
            betrug|bilanzskandal|bilanzbetrug|geldwasche|bestechung
            fraude|blanqueo|soborno|blanchiment|escroquerie
            """),
        .recall: HeadlinePattern.list(
            """
            ruckruf|ruckrufe|ruckrufaktion
            ruft|rufen & zuruck
            rappelle|rappel & vehicules|voitures|modeles|lots|produits
            retira|llama & vehiculos|coches|revision|mercado|productos ! candidatura
            """),
        .deal: HeadlinePattern.list(
            """
            ubernahme|ubernahmeangebot|fusion|fusioniert|fusionieren
            ubernimmt|ubernehmen|kauft|kaufen & fur|milliarden|millionen|konkurrenten|rivalen|mehrheit
            opa|adquiere|adquirir|adquisicion|fusiona|fusion
            compra|comprar & millones|rival|participacion
            rachete|racheter|rachat|acquiert|acquerir|fusionne|fusionner
            """),
        .layoffs: HeadlinePattern.list(
            """
            streicht|streichen|baut|abbau|abbauen|kurzt|kurzen & stellen|arbeitsplatze|jobs|mitarbeiter
            stellenabbau|entlassungen|kundigungen
            suprime|suprimir|suprimira|recorta|recortar|recortara|despide|despedir|despedira|elimina|eliminara & empleos|puestos|trabajadores|empleados
            despidos|ere & empleados|trabajadores|plantilla
            supprime|supprimer|suppression|supprimera & emplois|postes
            licenciements|plan social
            licencie|licencier|licenciera & salaries|personnes|employes
            """),
        .leadership: HeadlinePattern.list(
            """
            vorstandschef|vorstandsvorsitzender|konzernchef|finanzchef & tritt|geht|neuer|abgang|verlasst|wird|ablost
            consejero delegado|presidente & dimite|deja|nuevo|nombra
            pdg|directeur|directrice & demissionne|quitte|nomme|nommee|remplace
            """),
        .guidance: HeadlinePattern.list(
            """
            prognose|gewinnprognose|umsatzprognose|ausblick & senkt|hebt|kappt|erhoht|bestatigt|schraubt|kassiert
            gewinnwarnung
            prevision|previsiones|objetivos & rebaja|eleva|recorta|sube|mejora|mantiene|reduce
            aviso de beneficios|resultados
            prevision|previsions|objectif|objectifs & abaisse|releve|revise|confirme|reduit|maintient
            avertissement sur resultats|benefices
            """),
        .earnings: HeadlinePattern.list(
            """
            gewinn|umsatz|verlust|quartalsgewinn|nettogewinn & steigt|sinkt|steigert|macht|verdoppelt|bricht|ein|\
            fallt|wachst|quartal|millionen|milliarden|meldet|schreibt
            quartalszahlen|quartalsgewinn
            gana|beneficio|beneficios|ingresos|perdidas & trimestre|sube|cae|suben|caen|crece|millones|dispara|\
            reduce|aumenta
            benefice|benefices|perte|pertes|ventes & trimestre|hausse|baisse|bondit|chute|recule|millions|progresse|\
            milliards|double
            chiffre affaires
            """),
        .shareMove: HeadlinePattern.list(
            """
            aktie|aktien & sturzt|fallt|steigt|bricht|springt|verliert|gewinnt|einbruch|rutscht|schiesst
            acciones|accion & cae|caen|sube|suben|desploma|desploman|disparan|hunden
            action|titre & chute|plonge|bondit|grimpe|effondre|recule
            """),
        .priceMove: HeadlinePattern.list(
            """
            olpreis|goldpreis|gaspreis|strompreis|strompreise|euro|bitcoin & steigt|fallt|sinkt|springt|bricht
            petroleo|crudo|oro & sube|cae|dispara|desploma
            petrole|or|brent & grimpe|chute|recule|bondit|flambe
            """),
        .payout: HeadlinePattern.list(
            """
            dividende|dividenden|dividendo|dividendos & erhoht|senkt|kurzt|streicht|hebt|eleva|sube|recorta|reduce|\
            releve|augmente|suspend|reduit|baisse
            aktienruckkauf|recompra de acciones
            rachat actions
            """),
        .strike: HeadlinePattern.list(
            """
            streik|streiks|streiken|warnstreik|warnstreiks|huelga|huelgas|greve|greves
            """),
        .product: HeadlinePattern.list(
            """
            verschiebt|verschieben & start|marktstart|auslieferung|spiel
            retrasa|aplaza & lanzamiento|salida|estreno
            repousse|reporte|retarde & sortie|lancement
            """),
        .medicine: HeadlinePattern.list(
            """
            zulassung|zugelassen & medikament|arznei|wirkstoff|impfstoff|therapie|pille
            aprueba|autoriza & medicamento|farmaco|vacuna
            autorise|approuve & medicament|vaccin|traitement
            """),
        .court: HeadlinePattern.list(
            """
            prozess|urteil|gericht|richter & verliert|muss|zahlen|verurteilt|milliarden|millionen|schadenersatz
            klage|verklagt|geldbusse|kartellamt|bussgeld & konzern|millionen|milliarden|gegen|verhangt
            multa|demanda & millones|euros|contra|competencia
            amende & millions|milliards|euros|concurrence
            """),
        .business: HeadlinePattern.list(
            """
            eroffnet|eroffnen|baut|bauen|investiert|investieren & werk|fabrik|filialen|milliarden|millionen
            abrira|abre|abrir|invertira|invertir|invierte & tiendas|fabrica|planta|millones
            ouvre|ouvrira|ouvrir|investit|investira|investir & usine|magasins|millions|milliards
            schliesst|schliessen|cierra|cerrara|cerrar|ferme|fermera|fermer & werk|werke|filialen|fabrica|planta|tiendas|usine|magasins
            """),
    ]
}
