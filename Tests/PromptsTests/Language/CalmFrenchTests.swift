import Basics
import Testing

@testable import Prompts

/// Sentences that a calm French explanation may have, and such as it may not.
@Suite struct CalmFrenchTests {
    @Test(arguments: [
        (CalmRule.advice, "Il faut vendre."),
        (.advice, "Vous devriez acheter maintenant."),
        (.advice, "Les investisseurs auraient intérêt à alléger leur position."),
        (.advice, "C’est le bon moment pour acheter."),
        (.advice, "Mieux vaut attendre le prochain trimestre."),
        (.advice, "Il serait prudent de vendre une partie des titres."),
        (.advice, "Achetez avant l’assemblée."),
        (.advice, "N’attendez pas la prochaine publication."),
        (.advice, "Cette baisse est une opportunité d’achat."),
        (.advice, "Les actionnaires peuvent prendre leurs bénéfices."),
        (.advice, "Suivez le cours de près."),
        (.advice, "La banque relève son objectif de cours."),
        (.advice, "Restez investi malgré tout."),
        (.pressure, "Il est urgent de regarder ces chiffres."),
        (.pressure, "Agissez sans attendre."),
        (.pressure, "C’est la dernière occasion avant la décision."),
        (.pressure, "Voici ce qu’il faut savoir."),
        (.pressure, "Le temps presse."),
        (.pressure, "Avant qu’il ne soit trop tard, relisez les comptes."),
        (.drama, "Le titre s’est effondré après les comptes."),
        (.drama, "L’action plonge de douze pour cent."),
        (.drama, "Le cours s’envole en quelques heures."),
        (.drama, "La panique gagne la Bourse."),
        (.drama, "Les chiffres sont préoccupants."),
        (.drama, "Il y a de quoi s’inquiéter."),
        (.drama, "Le pire reste à venir."),
        (.drama, "Le groupe annonce des suppressions de postes massives."),
        (.odds, "Il y a 60 % de chances d’un accord."),
        (.odds, "La probabilité d’une baisse des taux est de 70 pour cent."),
        (.odds, "C’est une chance sur trois."),
        (.conditions, "Si vous détenez des actions Apple, la nouvelle vous concerne."),
        (.conditions, "Pour ceux qui possèdent le titre, la nouvelle compte."),
        (.conditions, "Cela pourrait peser sur votre portefeuille."),
        (.warnings, "La prudence reste toutefois de mise."),
        (.warnings, "La suite reste à voir."),
        (.advice, "Ce serait peut-être le moment de prendre ses bénéfices."),
        (.advice, "Le plus sage serait de céder une partie des titres."),
        (.advice, "On ferait bien de renforcer sa position."),
        (.advice, "Pourquoi ne pas acheter sur ce repli ?"),
        (.pressure, "Ne laissez pas passer cette occasion."),
        (.pressure, "Il n’y a pas une minute à perdre."),
        (.drama, "Le titre dévisse et entraîne tout le secteur."),
        (.drama, "Un coup de tonnerre sur les marchés."),
        (.odds, "Il y a deux chances sur trois que cela arrive."),
        (.conditions, "Si vous êtes actionnaire, cela vous touche."),
        (.drama, "Les salariés ont de quoi perdre le sommeil."), (.drama, "Les ménages ont de quoi redouter la suite."),
        (.pressure, "Mieux vaut ne pas rester les bras croisés."),
        (.pressure, "Ceux qui attendent trop repartent les mains vides."),
        (.advice, "Le titre garde toute sa place dans un portefeuille."),
    ])
    func refused(_ rule: CalmRule, _ sentence: String) {
        #expect(rule.match(in: sentence, .french) != nil, "\(sentence)")
        #expect(rule.match(in: sentence.decomposed, .french) != nil, "decomposed: \(sentence)")
    }

    @Test(arguments: [
        "Apple a réalisé 94 milliards de dollars de ventes au troisième trimestre, un peu plus qu’un an plus tôt.",
        "La banque centrale a baissé son taux d’un quart de point et cite une inflation plus calme.",
        "Le groupe veut céder sa filiale de logistique avant l’été.",
        "Les actionnaires doivent encore approuver la fusion en assemblée.",
        "Le titre a cédé deux pour cent après les résultats.",
        "Comme vous détenez AAPL, une petite part de cette activité vous appartient.",
        "Au moment d’entrer en Bourse, la société comptait trois usines.",
        "Des taux plus élevés renchérissent les prêts, et beaucoup d’entreprises investissent moins.",
        "Un seul trimestre dit peu de chose sur la qualité d’une entreprise.",
        "Certains y lisent la fin de la demande ; les chiffres montrent une hausse plus lente.",
        "Le groupe fermera 300 magasins et développera la vente en ligne.",
        "Il n’y a pas lieu de s’alarmer pour une livraison plus tardive.",
        "L’autorité demande aux deux banques de céder une partie de leurs agences.",
        "La directrice financière prend la présidence avec effet au premier mars.",
        "La vente de la filiale doit être conclue à l’automne.",
        "C’est au fond une nouvelle ordinaire dans une année ordinaire.",
        "Dans un second scénario, la demande reste la même et les stocks se vident lentement.",
        "Un signe en serait un carnet de commandes supérieur à celui de l’an dernier.",
        "Les ventes ont progressé de 12 %, sans doute grâce à une fête de Pâques précoce.",
        "Les services d’urgence de la ville utilisent déjà ce logiciel.",
        "Apple a annoncé mardi 94 milliards de dollars de ventes.",
        "La Bourse a peu réagi à la décision.",
        "Ceux qui épargnent chaque mois connaissent ces variations.",
        "La société maintient sa prévision pour l’ensemble de l’année.",
        "L’inflation est tombée à 2,4 % en mai.",
        "La Banque centrale européenne attend d’autres données sur l’économie.",
        "Le nouveau directeur veut réduire les coûts d’un milliard d’euros d’ici à 2027.",
        "Un tribunal doit maintenant dire si le rachat est permis.",
        "Le syndicat demande huit pour cent de hausse, l’employeur en propose trois.",
        "Des taux plus bas rendent les crédits moins chers.",
        "Beaucoup pensent qu’une baisse des taux aide aussitôt tout le monde ; elle agit sur des années.",
        "L’entreprise peut payer sa dette avec ce qu’elle gagne chaque année.",
        "Pour un groupe de cette taille, cela n’a rien d’inhabituel.",
        "Les analystes attendaient moins.",
        "Le conseil dira à l’automne si l’usine ouvre.",
        "Le gouvernement garde un rôle de garant pour ces prêts.",
    ])
    func allowed(_ sentence: String) {
        for rule in CalmRule.allCases where rule != .warnings {
            for text in [sentence, sentence.decomposed] {
                let found = rule.match(in: text, .french)
                #expect(found == nil, "\(rule) in \(text)")
            }
        }
    }
}
