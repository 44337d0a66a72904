// How old a cached value is, in four tiers.

const minute = 60_000

/** The ages in milliseconds at which the tiers `warm`, `stale` and `critical` begin. */
export class FreshnessPolicy {
  constructor({ fresh, warm, stale }) {
    Object.assign(this, { fresh, warm, stale })
  }

  /** The tier of an age. A tier begins at its age; a negative age (the clock was set back) is critical. */
  freshness(age) {
    if (!(age >= 0)) return "critical"
    if (age < this.fresh) return "fresh"
    if (age < this.warm) return "warm"
    return age < this.stale ? "stale" : "critical"
  }

  /** Fresh for so many milliseconds, warm for six times, stale for 72 times as long. */
  static lifetime(milliseconds) {
    return new FreshnessPolicy({ fresh: milliseconds, warm: milliseconds * 6, stale: milliseconds * 72 })
  }

  /** 5 minutes, 30 minutes, 6 hours. */
  static standard = FreshnessPolicy.lifetime(5 * minute)
  /** Always critical: read each time and never stored. */
  static never = new FreshnessPolicy({ fresh: 0, warm: 0, stale: 0 })
}
