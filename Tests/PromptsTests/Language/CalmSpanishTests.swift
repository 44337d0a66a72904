import Basics
import Testing

@testable import Prompts

/// Sentences that a calm Spanish explanation may have, and such as it may not.
@Suite struct CalmSpanishTests {
    @Test(arguments: [
        (CalmRule.advice, "Deberías vender tus acciones."),
        (.advice, "Usted debería comprar ahora."),
        (.advice, "Los inversores harían bien en reducir su posición."),
        (.advice, "Es un buen momento para comprar."),
        (.advice, "Conviene esperar al próximo trimestre."),
        (.advice, "Merece la pena mantener el título."),
        (.advice, "Venda antes de la junta."),
        (.advice, "Los accionistas podrían recoger beneficios tras la subida."),
        (.advice, "La caída es una oportunidad de compra para los pacientes."),
        (.advice, "Hay que vender cuanto se pueda."),
        (.advice, "Vender una parte sería prudente."),
        (.advice, "Siga de cerca la cotización."),
        (.advice, "El banco fija un nuevo precio objetivo."),
        (.pressure, "Actúe ya."),
        (.pressure, "Es urgente conocer el resultado."),
        (.pressure, "No espere más."),
        (.pressure, "Es la última oportunidad antes de la decisión."),
        (.pressure, "Esto es lo que debe saber hoy."),
        (.pressure, "Antes de que sea demasiado tarde, mire las cifras."),
        (.drama, "Las acciones se desplomaron tras las cuentas."),
        (.drama, "El título se hundió un doce por ciento."),
        (.drama, "El precio se disparó en pocas horas."),
        (.drama, "Cunde el pánico en la bolsa."),
        (.drama, "Los datos son preocupantes."),
        (.drama, "Hay motivos para inquietarse."),
        (.drama, "Lo peor está por llegar."),
        (.drama, "La empresa anunció despidos masivos."),
        (.odds, "Hay un 60 % de probabilidad de acuerdo."),
        (.odds, "La probabilidad de una bajada de tipos es del 70 por ciento."),
        (.odds, "Existe una posibilidad entre tres de que se cierre."),
        (.conditions, "Si usted tiene acciones de Apple, la noticia le afecta."),
        (.conditions, "Para quienes posean el título, la noticia importa."),
        (.conditions, "Esto podría afectar a su cartera."),
        (.warnings, "Sin embargo, conviene la cautela."),
        (.warnings, "El desenlace está por ver."),
        (.advice, "Quizá sea el momento de deshacer posiciones."),
        (.advice, "Lo más sensato sería vender una parte."),
        (.advice, "No es mala idea comprar más títulos ahora."),
        (.advice, "Te conviene mantener la calma y no vender."),
        (.pressure, "El tiempo apremia para los ahorradores."),
        (.pressure, "No deje pasar esta ocasión."),
        (.drama, "La acción sufre un batacazo histórico."),
        (.drama, "El mercado se tambalea y cunde la inquietud."),
        (.odds, "Hay dos posibilidades entre tres de que ocurra."),
        (.conditions, "Si tienes acciones de la empresa, te interesa."),
    ])
    func refused(_ rule: CalmRule, _ sentence: String) {
        #expect(rule.match(in: sentence, .spanish) != nil, "\(sentence)")
        #expect(rule.match(in: sentence.decomposed, .spanish) != nil, "decomposed: \(sentence)")
    }

    @Test(arguments: [
        "Apple ingresó 94.000 millones de dólares en el tercer trimestre, algo más que un año antes.",
        "El banco central bajó los tipos un cuarto de punto y citó una inflación más tranquila.",
        "La compañía quiere vender su filial de logística antes del verano.",
        "Los accionistas todavía tienen que aprobar la fusión en la junta.",
        "El título cedió un dos por ciento después de los resultados.",
        "Como usted tiene AAPL, una pequeña parte de este negocio es suya.",
        "La norma tiene que ver con la forma de contar las ventas.",
        "Los tipos más altos encarecen los préstamos, y muchas empresas invierten menos.",
        "Un solo trimestre dice poco sobre la calidad de una empresa.",
        "Algunos leen que la demanda desaparece; las cifras muestran un crecimiento más lento.",
        "La empresa cerrará 300 tiendas y ampliará la venta por internet.",
        "No hay motivo para alarmarse por un envío que llega más tarde.",
        "El regulador pide que los dos bancos cedan parte de sus oficinas.",
        "La directora financiera asumirá la presidencia con efecto inmediato.",
        "La venta de la filial debe cerrarse en otoño.",
        "Al final es una noticia corriente en un año corriente.",
        "En un segundo escenario la demanda sigue como hasta ahora y los almacenes se vacían despacio.",
        "Una señal sería una cartera de pedidos por encima de la del año anterior.",
        "Las ventas subieron un 12 %, probablemente por la Semana Santa temprana.",
        "La empresa explota dos minas de cobre en Chile.",
        "Apple comunicó el martes unas ventas de 94.000 millones de dólares.",
        "La bolsa apenas reaccionó a la decisión.",
        "Quien ahorra con regularidad conoce estos vaivenes.",
        "La compañía mantiene su previsión para el conjunto del año.",
        "La inflación bajó en mayo al 2,4 %.",
        "El Banco Central Europeo espera más datos de la economía.",
        "El nuevo director quiere reducir los costes en mil millones de euros hasta 2027.",
        "Un tribunal tiene que aclarar ahora si la compra es legal.",
        "El sindicato pide una subida del ocho por ciento; la empresa ofrece un tres.",
        "Unos tipos más bajos abaratan las hipotecas.",
        "Muchos creen que una bajada de tipos ayuda enseguida a todos; su efecto dura años.",
        "La firma puede pagar su deuda con lo que gana cada año.",
        "Para una empresa de este tamaño no es algo raro.",
        "Los analistas esperaban menos.",
        "El consejo decidirá en otoño si abre la fábrica.",
        "La entrada en vigor de la norma se retrasa hasta enero.",
        "El ministro debe presentar el presupuesto antes de octubre.",
    ])
    func allowed(_ sentence: String) {
        for rule in CalmRule.allCases where rule != .warnings {
            for text in [sentence, sentence.decomposed] {
                let found = rule.match(in: text, .spanish)
                #expect(found == nil, "\(rule) in \(text)")
            }
        }
    }
}
