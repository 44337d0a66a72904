internal import Basics

extension Glossary {
    static let french = Glossary(
        language: .french,
        functional: """
            the: le, la, les, l, un, une, son, sa, ses, leur, leurs, ce, cette, ces, se, s, qui, que, qu, ne, n, pas, plus
            the: moins, très, aussi, est, sont, a, ont, va, vont, fait, être, encore, nouveau, nouvelle, nouveaux, déjà, prévu
            the: presque, environ, nettement, fortement, malgré tout, il, elle, ils, on, y, cela, ça, dont, où, jusqu
            of: de, du, des, d
            to: à, au, aux, veut, doit, pourrait, compte
            in: en, dans
            for: pour
            by: par
            against: contre
            after: après, suite
            with: avec
            and: et
            or: ou
            on: sur
            at: chez
            despite: malgré
            over: raison, cause
            between: entre
            before: avant
            without: sans
            under: sous
            thanks: grâce
            """,
        entries: """
            beats: dépasse, dépassent, bat, surpasse, devance, supérieur aux attentes, supérieurs aux attentes, supérieurs aux prévisions, meilleurs que prévu
            misses: rate, manque, déçoit, déçoivent, inférieur aux attentes, inférieure aux attentes, sous les attentes
            raises: relève, relèvent, augmente, augmentent, accroît, améliore, rehausse, hisse
            rises: progresse, progressent, grimpe, grimpent, croît, monte, bondit, gagne, s'envole, double, hausse
            falls: chute, chutent, recule, reculent, plonge, plongent, dégringole, s'effondre, perd, tombe, recul, ralentit
            lowers: baisse, baissent, abaisse, abaissent, réduit, réduisent, diminue, ramène
            cuts: coupe, taille, supprime, suppriment, supprimer, sabre, rogne
            confirms: confirme, confirment, maintient
            earns: gagne … millions, gagne … milliards
            profit: bénéfice, bénéfices, bénéfice net, résultat net, profits
            loss: perte, pertes
            revenue: chiffre d'affaires, chiffre affaires, recettes, revenus
            sales: ventes, vente
            results: résultats, résultat, comptes
            quarter: trimestre, trimestriel, trimestriels, trimestrielle, trimestrielles, semestre, semestriels
            estimates: attentes, consensus
            forecast: prévisions, prévision, objectif, objectifs, perspectives
            guidance: avertissement sur résultats, avertissement sur ses résultats, profit warning
            margin: marge, marges
            shares: action, actions, titre
            dividend: dividende, dividendes
            buyback: rachat d'actions, rachats d'actions, rachat actions, rachats actions
            jobs: postes, emplois, effectifs
            workers: salariés, employés, personnel, machinistes, travailleurs
            layoffs: licenciements, licenciement, licencie, suppressions de postes, suppressions d'emplois, suppression de postes, suppression d'emplois, plan social, suppressions emplois
            strike: grève, grèves, débrayage, débrayages
            union: syndicat, syndicats
            recalls: rappelle, rappellent
            recall: rappel, rappels
            vehicles: véhicules, voitures, modèles
            lawsuit: plainte, procès, poursuites
            sues: poursuit, attaque en justice, assigne
            court: justice, tribunal, cour, juge
            ruling: condamné à, condamné, condamnée, condamne, verdict, jugement
            fine: amende, amendes, pénalité, verser
            fined: sanctionne, sanctionné
            antitrust: concurrence, monopole, position dominante
            probes: enquête, enquêtes
            settlement: accord amiable, règle
            acquires: rachète, rachètent, racheter, acquiert, acquérir, s'offre, acquisition
            buys: achète, acheter
            sells: cède, cèdent, céder, vend, vendent, vendre, cession
            takeover: offre publique, opa, rachat, prise de contrôle
            merger: fusion, fusionne, fusionnent, fusionner
            bid: offre
            stake: participation, entre au capital
            deal: accord
            talks: discussions, négociations, négocie
            ceo: patron, patronne, pdg, directeur général, directrice générale, dirigeant
            cfo: directeur financier, directrice financière
            chairman: président
            resigns: démissionne, démission, quitte, quittent, départ, s'en va
            names: nomme, nommé, nommée, recrute, choisit
            replaces: remplace, succède, prend la tête, prend les rênes, change
            successor: successeur
            launches: lance, lancent, lancement
            unveils: dévoile, dévoilent, présente
            posts: publie, publient, affiche, enregistre
            approves: autorise, approuve, homologue
            approval: autorisation, feu vert
            drug: médicament, traitement, vaccin, molécule
            study: étude
            outage: panne, interruption
            hacked: piratage, cyberattaque, fuite de données
            price: prix
            prices: tarifs
            closes: ferme, ferment, fermer, fermeture, fermetures
            plant: usine, usines
            orders: commande, commandes
            deliveries: livraisons
            halts: suspend, arrête, interrompt
            delays: reporte, repousse
            cancels: annule, annulent
            invests: investit, investir
            plans: prévoit, envisage, annonce
            warns: avertit, prévient, alerte
            subscribers: abonnés, abonnement, abonnements
            company: groupe, entreprise, société, constructeur
            rival: concurrent, rivaux
            billion: milliard, milliards
            million: million, millions
            percent: pourcent
            record: record, sommet
            target: objectif de cours
            downgrades: dégrade, abaisse sa recommandation
            downgraded: dégradé, dégradée
            upgrades: relève sa recommandation
            rating: recommandation, opinion
            analyst: analyste, analystes
            rates: taux, taux directeurs, taux d'intérêt
            holds: inchangé, inchangés, laisse
            inflation: inflation, prix à la consommation, hausse des prix à la consommation, hausse des prix … sur un an
            inflation: hausse des prix tombe, hausse des prix ralentit, hausse des prix accélère, hausse des prix s'accélère
            inflation: hausse des prix atteint, hausse des prix reste, hausse des prix recule, hausse des prix se modère
            inflation: hausse des prix en france, hausse des prix en allemagne, hausse des prix en espagne
            inflation: hausse des prix en italie, hausse des prix en europe, hausse des prix en zone euro
            inflation: hausse des prix dans la zone euro, hausse des prix en suisse, hausse des prix en belgique
            hikes the prices: hausse des prix, hausse de ses prix, hausse de prix, hausses de prix, hausse des tarifs
            hikes the prices: hausse de ses tarifs
            unemployment: chômage
            gdp: pib
            economy: économie, croissance économique
            recession: récession
            growth: croissance
            stocks: bourse, bourses
            """,
        ambiguous: """
            a on plus son pour or me fait but pas sent rate double cause change profits consensus million record inflation
            opinion fusion rival action actions justice lance taille coupe rue vent accord union personnel opa verdict
            suspend rates manque compte attaque titre offre groupe
            """)
}
