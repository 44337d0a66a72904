internal import Basics

extension Glossary {
    static let spanish = Glossary(
        language: .spanish,
        functional: """
            the: el, la, los, las, lo, un, una, unos, su, sus, se, que, más, menos, muy, ya, no, es, son, ha, han, fue, este
            the: esta, nuevo, nueva, casi, cerca, hasta, desde, como, cuando, donde, vez, otra, tercera, primera
            of: de, del
            to: a, al, debe, podría, quiere
            in: en
            for: para, por
            against: contra
            after: tras, después
            with: con
            and: y, e
            or: o
            on: sobre
            despite: pese, pesar
            between: entre
            before: ante, antes
            without: sin
            under: bajo
            thanks: gracias
            """,
        entries: """
            beats: supera, superan, bate, baten
            misses: decepciona, decepcionan, incumple, por debajo de lo previsto
            raises: eleva, elevan, aumenta, aumentan, sube el, sube la, sube los, sube su, sube sus, incrementa, mejora, dispara, encarece
            rises: sube, suben, crece, crecen, avanza, escala, salta, repunta, se dispara, se duplican, se duplica, duplica
            falls: cae, caen, baja, bajan, desciende, se desploma, se hunde, desploma, hunde, retrocede, pierde terreno, cede terreno
            lowers: reduce, reducen, rebaja, rebajan, baja los, baja el, baja su, baja sus, baja la, disminuye
            cuts: recorta, recortan, recortar, elimina, suprime
            confirms: confirma, mantiene
            earns: gana, ganan, ganó
            profit: beneficio, beneficios, ganancias, ganancia, utilidad
            loss: pérdidas, pérdida, pierde, números rojos
            revenue: ingresos, facturación
            sales: ventas
            results: resultados, cuentas
            quarter: trimestre, trimestral, trimestrales, semestre
            estimates: expectativas, lo esperado, lo previsto
            forecast: previsiones, previsión, objetivos
            guidance: advertencia de beneficios, aviso de beneficios, perspectivas
            margin: margen, márgenes
            shares: acción, acciones
            dividend: dividendo, dividendos
            buyback: recompra de acciones, recompra, recompras
            jobs: empleos, puestos, puestos de trabajo
            workers: empleados, trabajadores, plantilla
            layoffs: despidos, despide, despiden, ere
            strike: huelga, huelgas, paro, paros
            union: sindicato, sindicatos
            recalls: llama a revisión, llaman a revisión, retira … vehículos, retira … coches, retira del mercado
            recall: retirada, llamada a revisión
            vehicles: vehículos, coches, automóviles
            lawsuit: demanda, demandas, querella, juicio
            sues: demanda a, denuncia
            court: tribunal, juez, jueza, justicia, supremo
            ruling: condena, condenado, condenada, sentencia, fallo judicial
            fine: multa, multas, sanción
            fined: sanciona
            antitrust: monopolio, competencia
            probes: investiga, investigación
            settlement: acuerdo extrajudicial
            acquires: adquiere, adquirir, compra el, compra la, absorbe
            buys: compra, comprar
            sells: vende, vender, venta
            takeover: opa, oferta hostil, oferta pública
            merger: fusión, fusiona, fusionan
            bid: oferta
            rejects: rechaza, rechazan
            stake: participación
            deal: acuerdo, acuerda
            talks: negocia, negociaciones
            ceo: consejero delegado, consejera delegada, jefe, director general
            cfo: director financiero
            chairman: presidente, presidenta
            resigns: dimite, dimisión, deja el cargo, salida, abandona
            names: nombra, ficha, elige
            replaces: releva, sustituye, reemplaza, cambia, relevo, vuelve
            successor: sucesor, sucesora
            launches: lanza, lanzan, estrena
            unveils: presenta, desvela
            approves: aprueba, autoriza
            approval: aprobación, autorización, luz verde
            drug: fármaco, medicamento, vacuna, tratamiento
            study: estudio, ensayo
            outage: caída del servicio, apagón
            hacked: ciberataque, hackeo, filtración de datos
            price: precio
            prices: precios, tarifas, suscripción
            closes: cierra, cerrar, cierre, cierres
            plant: fábrica, fábricas, plantas, planta
            orders: pedido, pedidos
            deliveries: entregas
            halts: suspende, detiene, paraliza, para
            delays: retrasa, aplaza
            invests: invierte, invertir
            plans: plantea, prevé, planea, anuncia, amenaza
            warns: advierte, avisa, alerta
            posts: registra, obtiene, logra
            withdraws: retira, saca del mercado
            subscribers: suscriptores, abonados
            company: grupo, empresa, compañía
            rival: rival, competidor
            billion: mil millones, miles de millones
            million: millón, millones
            record: récord, máximo, máximos
            target: precio objetivo
            downgrades: rebaja la recomendación, rebaja su recomendación
            upgrades: mejora la recomendación, mejora su recomendación, eleva la recomendación
            rating: recomendación
            analyst: analista, analistas
            rates: tipos, tipos de interés, tasas
            holds: inalterados
            inflation: inflación, ipc
            unemployment: desempleo, tasa de paro
            gdp: pib
            economy: economía
            recession: recesión
            growth: crecimiento
            stocks: bolsa, bolsas
            office: oficina, teletrabajo
            """,
        ambiguous: "a no son sale come para fines reduce e o once rival sin me lo has dales as fines jefe")
}
