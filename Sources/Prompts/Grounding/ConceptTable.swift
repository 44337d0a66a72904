/// Meanings of news on companies and the economy, with the words that name them in four languages.
///
/// A line is `name`, `name=opposite`, `name!` or `name@`, then for each language its words. A word is the beginning of words,
/// with a full stop at its end a whole word, with `~` at its beginning a part of a compound; `a+b` is one word and,
/// behind it in the same clause, another; `a_b` are words next to each other. Accents are left out. The mark `!` is for
/// meanings that the words of a forecast may be about, `@` for things that happen or do not.
enum ConceptTable {
    static let lines = """
        rise=fall! | en rise. rises. rose. risen. rising. grew. grow. grows. growing. grown. increas climb gained. recover rebound improv strengthen raise lift. lifted. lifts. hike. hiked. surg jump. jumped. jumps. advanced. ralli soar widen. widens. widened. expand. expands. expanded. swell swelled | de stieg steig gestiegen anstieg ansteig wuchs wachs gewachsen wachstum erhoht. zunahm zunehm erhol kletter legte+zu. legt+zu. zulegen zuwachs nahm+zu. verbesser erhoh anheb angehoben hob+an. hebt+an. heraufsetz heraufgesetzt aufstock | es subio subi sube suba subir crec crezca aument increment repunt recuper mejor. mejora. mejoro. mejorar alza avanz elev subir. subio. subira. | fr augment progress hauss croissance croit. croitr crut. grimp mont. monte monter montera rebond redress retrouver ameliore remont relev rehauss
        fall=rise! | en fall. falls. fell. fallen. falling. drop declin decreas slid. slide. slides. shrank sank. sink. sinks. weaken worsen cut. cuts. cutting. reduc lower. lowers. lowered. lowering. slash tumbl plung slip. slipped. slips. dip. dipped. dips. retreat narrow. narrows. narrowed. dwindl plummet shed. | de fiel fallt. fallen. gefallen sank. sanken. sinkt. sinken. sinken gesunken ruckgang zuruckgeh zuruckgegang verringer ging+zuruck. gingen+zuruck. geht+zuruck. gab+nach. gaben+nach. nahm+ab. nachgeb verschlechter senk kurz. kurzt kurze kurzung reduzier | es cayo cae. caen. caer caid baj descend descens disminu retroce reduj reduc empeor recort rebaj | fr baiss recul chut diminu tomb cede. cedent. cedait. repli degrad redui redu abaiss
        higher | en higher. | de hoher. hohere. hoheren. hoherem. hoherer. | es mas_alto mas_alta | fr plus_eleve
        ruleout | en call_off calls_off called_off rule_out rules_out ruled_out ruling_out | de fallt+aus. fiel+aus. abgesagt schloss+aus. schliess+aus. ausgeschlossen ausschliess | es descart exclu suspendida suspendido | fr exclu ecart
        leaveout=include | en leave_out leaves_out left_out exempt. exempts. exempted. exclud spare. spares. spared. | de ausgenommen ausnahm ausgeschlossen | es quedan_fuera queda_fuera exclu exent exim | fr exclu exempt epargn dispens
        include=leaveout | en include cover. covers. covered. fall_under falls_under | de umfass einschliess fallen_unter fallt_unter fallen+unter gilt_auch gelten_auch betrifft_auch | es inclu abarc | fr inclu comprend couvr
        affect | en affected. affects. affect. hits. touches. touched. | de betroff betrifft betreff beruhrt | es afect | fr concern touch affect
        strong=weak | en strong stronger stronge | de stark. starker starke starken | es fuerte fuertes | fr forte. fortes. fort. forts. solide
        weak=strong | en weak weaker | de schwach schwacher | es debil flojo floja | fr faible faibles
        fast=slow | en fast. faster. quick quicker | de schnell rasch | es rapid | fr rapide vite.
        slow=fast | en slow | de langsam verlangsam | es lent | fr lent ralent
        open=close | en open. opens. opened. opening. | de eroffn offnet. offnen. offnete | es abrir abre. abren. abrio | fr ouvr
        close=open | en shut. shuts. close_down closure closed_down close. closes. closing. | de geschlossen schliessung schliesst. schliessen. schloss. | es cerrar cierre. cierra cerro. | fr ferm
        accept=reject! | en accept approv agreed_to | de akzept annahm. annehm genehmig zugestimmt zustimm | es acept aprob | fr accept approuv
        reject=accept | en reject turned_down refused. | de lehnt+ab. lehnte+ab. abgelehnt ablehn verweiger | es rechaz | fr rejet refus
        win=lose! | en won. win. wins. winning. | de gewann. gewonnen. gewinnt. | es gano. ganar | fr gagn remport
        lose=earn | en lost. lose. loses. losing. loss. losses.  | de verlor verlust verlier | es perdi perdid pierd | fr perd perte
        earn=lose | en earn. earns. earned. | de verdien | es gano. gana. ganar | fr gagn
        begin=end | en began. begin. begins. start. starts. started. | de begann. beginn begonn startet. startete. | es empez empiez comenz comienz inici | fr commenc debut demarr
        end=begin | en ended. ends. stopped. stops. halted. suspend axe. axes. axed. discontinu | de beend endet. endete. einstell eingestellt | es termin acab dej_de deja_de | fr termin arret cess
        announce | en announc unveil | de angekundigt ankundig kundigt+an. kundigte+an. kundigten+an. | es anunci | fr annonc
        expect | en expect forecast predict foresee | de erwart rechnet rechnen prognos | es esper prev previ pronostic | fr prevo prevision attend
        forecast | en forecast outlook guidance. | de prognose prognosen ausblick jahresziel | es prevision previsiones pronostic | fr prevision previsions objectif perspectives
        price | en price. prices. priced. fare. fares. | de ~preis ~preise preis. preise. preisen. | es preci tarifa billete | fr prix tarif
        wage | en wage. wages. pay. salary salaries | de lohn lohne gehalt gehalter ~lohn | es salari sueldo | fr salair
        strike@ | en strike. strikes. walkout walked_out walk_out | de streik ~streik gestreikt | es huelga | fr greve grevist
        deal! | en deal. deals. agreement. agreed. agree. accord. | de einig geeinigt einigung abschluss vereinbar | es acuerdo acordar acorda | fr accord. accords.
        talks | en talks. negotiat talking. | de verhand gesprach | es negoci dialog | fr negoci discussion pourparler
        participate | en part_of take_part takes_part taking_part took_part taken_part participat joins. joined. | de beteilig teilnehm teilnimmt nimmt+teil. nehmen+teil. nahm+teil. mitmach | es particip | fr particip
        injury@ | en injur hurt. hurts. harmed wounded | de verletz | es herid lesion | fr bless
        accident@ | en accident crash. crashes. | de unfall unfalle unfallen | es accident | fr accident
        sideeffect@ | en side_effect side_effects | de nebenwirk | es efecto_secundario efectos_secundarios efectos_adversos | fr effet_secondaire effets_secondaires effets_indesirables
        work! | en work. works. worked. effective. | de wirkt. wirkte. wirken. wirksam half. hilft. | es funcion eficaz. eficaces. | fr efficac marche. fonctionn fait_mieux
        placebo | en placebo | de placebo | es placebo | fr placebo
        subsidy@ | en subsid | de subvention fordermittel zuschuss | es subvenc subsidi ayudas_publicas | fr subvention
        countermeasure@ | en countermeasure retaliat | de gegenmassnahm vergeltung | es represali contramedid | fr contre_mesure contre_mesures represaill
        sanction@ | en sanction. sanctions. penalt fine. fines. fined. | de strafe sanktion bussgeld | es sancion multa. multas. | fr sanction amende. amendes.
        dividend | en dividend | de dividend | es dividend | fr dividend
        buyback | en buyback buybacks bought_back buy_back repurchas | de ruckkauf zuruckgekauft kauft+zuruck. kaufte+zuruck. aktienruckkauf | es recompr | fr rachat rachet
        share | en share. shares. stock. stocks. | de aktie aktien ~aktie ~aktien papier. papiere. | es accion acciones. | fr action actions. titre.
        company | en company companies. firm. firms. group. | de unternehm konzern firma. firmen. gruppe. | es empresa compania grupo. | fr entreprise societe groupe.
        bank | en bank. banks. | de bank. banken. zentralbank notenbank ~bank | es banco bancos. | fr banque banques.
        rate | en rate. rates. | de zins. zinsen. ~zins ~zinsen | es tipo. tipos. tasa. tasas. | fr taux.
        inflation | en inflation | de inflation teuerung | es inflac | fr inflation
        growth | en growth | de wachstum konjunktur | es crecimiento | fr croissance
        loan | en loan lend lent. mortgage borrow credit. | de kredit ~kredit darlehen hypothek | es prestamo prestar presto. prestaron. hipotec credito | fr pret. prets. prete emprunt credit
        profit=loss! | en profit. profits. earnings. profitab | de gewinn. gewinns. gewinne. ~gewinn ergebnis. | es beneficio ganancia | fr benefic profit
        revenue | en revenue sales. turnover. | de umsatz umsatze erlos verkauf ertrag. ertrage. ertragen. | es ingreso ventas. factur | fr chiffre_d ventes. recette
        margin | en margin | de marge. margen. | es margen margenes | fr marge marges.
        debt | en debt | de schulden verschuld | es deuda | fr dette
        cost | en cost. costs. | de kosten. ~kosten kostet. kostete. | es coste costes. costo. cuesta. costara | fr cout coute coutera
        job | en job. jobs. layoff layoffs | de stelle. stellen. arbeitsplatz | es empleo puesto | fr emploi poste. postes.
        worker | en worker employee staff. | de beschaftigt mitarbeit | es trabajador emplead | fr salarie employe travailleur
        union | en union. unions. | de gewerkschaft | es sindicat | fr syndicat
        supplier | en supplier | de lieferant zulieferer | es proveedor | fr fournisseur
        customer | en customer client. clients. | de kunde kunden. | es cliente | fr client
        shop | en shop. shops. store. stores. | de laden. filial geschaft | es tienda local. locales. cafeteria | fr magasin boutique
        plant | en plant. plants. factory factories | de werk. werke. werken. fabrik | es planta plantas. fabrica | fr usine centrale. centrales.
        car | en car. cars. vehicle van. vans. | de auto. autos. wagen. fahrzeug lieferwagen | es coche vehicul furgon | fr voiture vehicule camionnette
        chip | en chip. chips. semiconductor | de chip. chips. speicherchip halbleiter | es chip chips. semiconduct | fr puce puces. semi
        licence | en licence license permit. permits. | de genehmig lizenz | es licencia permiso | fr licence licences. autoris
        export | en export shipment | de ausfuhr ~ausfuhr export | es export | fr export
        import | en import. imports. | de einfuhr import. importe. | es import. importac | fr import. importat
        tariff | en tariff | de zoll. zolle. ~zoll | es arancel | fr douane
        drug | en drug. drugs. medicine. medicines. | de mittel. medikament arznei ~mittel wirkstoff | es farmaco medicament | fr medicament
        trial | en trial. trials. study. | de studie studien. | es ensayo estudio | fr essai etude
        patient | en patient patients. | de patient | es paciente | fr patient
        recall@ | en recall | de ruckruf ruft+zuruck. rufen+zuruck. zuruckgeruf | es llama_a_revision retirada revision. | fr rappel
        repair | en repair. repairs. fix. | de reparatur | es reparaci | fr reparation
        owner | en owner | de halter. besitzer eigentumer | es dueno propietari | fr proprietair
        letter | en letter. letters. | de brief. briefe. | es carta. cartas. | fr lettre. courrier.
        cable | en cable | de kabel | es cable | fr cable
        complaint | en complaint | de beschwerde beschwert | es queja | fr plainte
        attack@ | en attack hack. hacked. hackers. breach cyberattack | de angriff angegriff hackerangriff | es ataque atac | fr attaque pirat
        plan | en plan. plans. planned. | de plant. planen. plante. geplant. | es planea planif | fr prevoit. prevoient. compte.
        rule | en rule. rules. | de regel. regeln. | es norma. normas. regla | fr regle. regles.
        inquiry@ | en inquiry inquiries investigat probe. | de untersuchung ermittl | es investig | fr enquete
        lawsuit@ | en lawsuit sued. sue. sues. | de klage. klagen. geklagt | es demanda. demandas. | fr plainte proces.
        court | en court. courts. judge. | de gericht | es tribunal juez. | fr tribunal tribunaux juge. cour.
        reason | en reason. reasons. | de grund. grunde. | es razon motivo | fr raison motif
        change! | en change. changed. changes. modif moved. move. | de anderung geandert andert bewegt. bewegte. bewegten. | es cambi modific | fr chang modifi
        offer | en offer. offers. offered. bid. bids. | de angebot ~angebot bietet. bot. | es oferta ofrec ofert | fr offre offres. propos
        invest | en invest. investing. investment | de invest | es inver | fr invest
        sell | en sell. sells. sold. | de verkauf | es vend | fr vend
        buy | en buy. buys. bought. | de kauft. kaufte. kaufen. ubernimm ubernahm | es compr. compro. compra. comprar | fr achet rachet
        merge! | en merg takeover | de fusion ubernahm | es fusion | fr fusion
        react | en respond react | de reagier | es reaccion respond | fr reagi
        criticise=welcome | en critic | de kritis kritik | es critic | fr critiqu
        government | en government | de regierung | es gobierno | fr gouvernement
        ticket | en ticket fare. fares. | de fahrpreis ticket | es billete | fr billet tarif
        bond | en bond. bonds. | de anleihe | es bono bonos. | fr obligation
        risk | en risk | de risik | es riesg | fr risque
        diversify | en diversif spread. | de diversif streu | es diversif | fr diversif
        fund | en fund. funds. | de fonds. ~fonds | es fondo | fr fonds.
        ban@ | en ban. bans. banned. prohibit | de verbot verbiet | es prohib | fr interd interdit
        delay@ | en delay postpon | de verschob verzoger verschieb | es retras aplaz | fr retard report
        demand | en demand. | de nachfrage | es demanda. | fr demande.
        serious | en serious severe | de schwer schwere schweren ernst | es grave graves. | fr grave graves.
        cheap=dear! | en cheaper. cheap. | de billiger. gunstiger. billig. | es barat | fr moins_cher moins_chere
        dear=cheap! | en dearer. costlier. expensive. | de teurer. teurere. teureren. teures. teurem. teuren. teure. teuer. verteuer | es caro. cara. caros. caras. encarec | fr plus_cher plus_chere plus_chers
        know | en knows. known. know. aware. | de bekannt. weiss. kennt. | es constancia. conoc sabe. | fr connaissance connait
        remove | en remov eliminat | de beseitig entfern | es elimin | fr supprim elimin
        success! | en success succeed | de erfolg. erfolgreich | es exito | fr succes reussi
        fail=success | en fail. fails. failed. failure | de scheiter misserfolg | es fracas | fr echou echec
        more=fewer | en more. | de mehr_als_zuvor | es mas_que_antes | fr plus_qu_avant
        fewer=more | en fewer. less. | de weniger. | es menos_que_antes | fr moins_qu_avant
        loss=profit | en loss. losses. deficit | de verlust. verluste. fehlbetrag ~verlust | es perdida. perdidas. | fr perte. pertes. deficit
        welcome=criticise | en welcom support prais endors | de begruss unterstutz lobt. lobte. | es apoy celebr respald | fr salu souten soutien approuv
        certain | en certain. foregone settled sure. decided confirmed | de ausgemacht sicher. beschloss entschied gewiss | es decidid segur confirm | fr acquis acquise certain certaine decide decidee confirm
        unemployment | en unemploy jobless | de arbeitslos | es desempleo paro. | fr chomage
        hiring | en hiring hire. hires. hired. | de einstell stellten+ein. stellen+ein. | es contrat | fr embauch recrut
        reach=miss | en met. meet. meets. beat. beats. exceed surpass reach. reached. reaches. achiev hit_its | de erreich ubertraf ubertrifft ubertroffen schafft geschafft erfullt | es cumpli alcanz supero supera. lograr logro. | fr attein depass tenu. tenus.
        miss=reach | en missed. misses. miss. fell_short falls_short fall_short | de verfehl | es incumpl fallo. | fr manqu rate. ratent.
        goal | en goal. target. targets. | de ziel. ziels. ziele. ~ziel | es objetivo | fr objectif
        rent | en rent. rents. | de miete mieten. | es alquiler | fr loyer
        contract | en contract | de vertrag vertrage ~vertrag | es contrato | fr contrat
        fee | en fee. fees. | de gebuhr | es comision tarifa | fr frais. indemnit
        member | en member | de mitglied | es miembro | fr membre
        pay | en pay. pays. paid. | de zahlt. zahlen. zahlte. gezahlt | es paga. pagar pago. pago | fr verse paie. payer paye
        vote | en vote. votes. voted. | de abstimm stimmten+zu. | es voto. votar votaron | fr vote. vote votent
        block=allow | en block. blocked. blocks. forbade forbid prohibit | de untersag verbiet verbot blockier | es bloque prohib | fr bloqu interd
        allow=block | en allow permitted permits. cleared | de erlaubt. erlauben gestatt | es permit autoriz | fr autoris permet
        dollar | en dollar | de dollar | es dolar | fr dollar
        mortgage | en mortgage home_loan | de hypothek baugeld | es hipotec | fr hypothec pret_immobilier
        petrol | en petrol gasoline fuel diesel | de benzin kraftstoff diesel sprit. treibstoff | es gasolina combustible carburante gasoil | fr essence. carburant gazole
        egg | en egg. eggs. | de eier. eiern. ei. | es huevo | fr oeuf
        food | en food. foods. grocer | de lebensmittel nahrungsmittel | es aliment comestibles | fr aliment nourriture
        energy | en energy | de energie | es energia energetic | fr energie energetiq
        electricity | en electricity power. | de strom. strompreis | es electricidad luz. | fr electricite
        gas | en gas. | de gas. erdgas gaspreis | es gas. | fr gaz.
        oil | en oil. crude. | de ol. erdol rohol olpreis | es petroleo crudo | fr petrole brut.
        gold | en gold. | de gold. goldpreis | es oro. | fr or.
        coffee | en coffee | de kaffee | es cafe. | fr cafe.
        cocoa | en cocoa | de kakao | es cacao | fr cacao
        bread | en bread wheat flour | de brot. weizen mehl. | es pan. trigo harina | fr pain. ble. farine
        milk | en milk dairy | de milch | es leche lacte | fr lait. laitier
        house | en house. houses. housing home. homes. | de haus. hauser. wohnung immobilie | es vivienda casa. casas. | fr logement maison
        site | en site. sites. location. locations. | de standort ~standorte | es centro. centros. sede. sedes. | fr site. sites.
        furniture | en furniture | de mobel | es mueble | fr meuble
        approve | en approval clearance | de zustimmung genehmigung freigabe | es aprobacion visto_bueno | fr approbation feu_vert
        january | en january | de januar janner | es enero | fr janvier
        february | en february | de februar | es febrero | fr fevrier
        march | en march. | de marz | es marzo | fr mars.
        april | en april | de april | es abril | fr avril
        june | en june | de juni | es junio | fr juin.
        july | en july | de juli | es julio | fr juillet
        august | en august | de august | es agosto | fr aout
        september | en september | de september | es septiembre setiembre | fr septembre
        october | en october | de oktober | es octubre | fr octobre
        november | en november | de november | es noviembre | fr novembre
        december | en december | de dezember | es diciembre | fr decembre
        monday | en monday | de montag | es lunes | fr lundi
        tuesday | en tuesday | de dienstag | es martes | fr mardi
        wednesday | en wednesday | de mittwoch | es miercoles | fr mercredi
        thursday | en thursday | de donnerstag | es jueves | fr jeudi
        friday | en friday | de freitag | es viernes | fr vendredi
        saturday | en saturday | de samstag | es sabado | fr samedi
        sunday | en sunday | de sonntag | es domingo | fr dimanche
        spring | en spring. springtime | de fruhjahr fruhling | es primavera | fr printemps
        summer | en summer | de sommer | es verano | fr ete.
        autumn | en autumn | de herbst | es otono | fr automne
        winter | en winter | de winter | es invierno | fr hiver
        ordinal2 | en second. | de zweite | es segund | fr deuxieme second. seconde.
        ordinal3 | en third. | de dritte. dritten. dritter. drittes. | es tercer | fr troisieme
        ordinal4 | en fourth. | de vierte. vierten. vierter. viertes. | es cuart | fr quatrieme
        ordinal5 | en fifth. | de funfte. funften. funfter. funftes. | es quint | fr cinquieme
        ordinal6 | en sixth. | de sechste. sechsten. sechster. | es sext | fr sixieme
        ordinal7 | en seventh. | de siebte. siebten. siebter. | es septim | fr septieme
        ordinal8 | en eighth. | de achte. achten. achter. | es octav | fr huitieme
        ordinal9 | en ninth. | de neunte. neunten. neunter. | es noven | fr neuvieme
        ordinal10 | en tenth. | de zehnte. zehnten. zehnter. | es decim | fr dixieme
        interest | en interest. | de zins. zinsen. ~zins ~zinsen | es interes. | fr interet.
        quarterpoint | en quarter_of_a quarter_point | de viertelpunkt viertelprozent | es cuarto_de | fr quart_de
        point | en point. points. | de punkt. punkte. punkten. ~punkt ~punkte ~punkten | es punto. puntos. | fr point. points.
        dismiss@ | en dismiss layoff laid_off lay_off fired. sacked. | de entlass kundigungen | es despid despedid | fr licenci
        driver | en driver | de fahrer ~fahrer | es conductor | fr chauffeur conducteur
        bus | en bus. buses. | de bus. busse. ~busfahrer busfahrer | es autobus | fr bus. autobus
        train | en train. trains. rail railway | de zug. zuge. zugen. bahn. ~bahn | es tren. trenes. ferrocarril | fr train. trains. ferroviaire
        passenger | en passenger commuter | de fahrgast fahrgaste passagier pendler | es pasajer viajer | fr passager voyageur
        holding | en holdings. | de bestand. bestande | es tenencia cartera. | fr portefeuille
        """
}
