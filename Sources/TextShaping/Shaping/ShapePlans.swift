// The layout tables and the shape plans of a face, which are created on first use and shared by all its instances.

internal import Fonts
internal import ImageCore
internal import Threading

/// The layout tables and the shape plans of a face.
final class ShapePlans: Sendable {
  private struct Plans {
    var layout: FontLayout?
    var byKey: [ShapePlan.Key: ShapePlan] = [:]
  }

  private let container: FontContainer
  private let plans = Mutex<Plans>(Plans())

  private init(_ container: FontContainer) {
    self.container = container
  }

  /// Returns those of a face, which are kept with its tables.
  static func of(_ face: FontFace) -> ShapePlans {
    face.tables.companion { ShapePlans(face.tables.container) }
  }

  /// Returns the layout and the plan for a kind of run, creating the plan on first use.
  ///
  /// - Parameter budget: charged for what is parsed now, rather than for what was parsed before.
  func plan(
    for key: ShapePlan.Key, budget: inout ResourceBudget
  ) throws(CodecError) -> (layout: FontLayout, plan: ShapePlan) {
    let (knownLayout, knownPlan) = plans.withLock { ($0.layout, $0.byKey[key]) }
    if let knownLayout, let knownPlan { return (knownLayout, knownPlan) }
    // Parsed outside the lock, so that other threads do not wait. If two threads do so, the first result is kept.
    let parsedLayout: FontLayout
    if let knownLayout { parsedLayout = knownLayout } else { parsedLayout = try FontLayout(container, budget: &budget) }
    let parsedPlan = try ShapePlan(key, layout: parsedLayout, budget: &budget)
    return plans.withLock { plans in
      let layout = plans.layout ?? parsedLayout
      plans.layout = layout
      if let known = plans.byKey[key] { return (layout, known) }
      let plan = parsedPlan
      // Text normally needs a few kinds of runs. If a document needs very many, the cache starts over.
      if plans.byKey.count >= 64 { plans.byKey = [:] }
      plans.byKey[key] = plan
      return (layout, plan)
    }
  }

  /// Returns the layout tables, which are parsed on first use.
  ///
  /// - Parameter budget: charged if they are parsed now.
  func layout(budget: inout ResourceBudget) throws(CodecError) -> FontLayout {
    if let known = plans.withLock({ $0.layout }) { return known }
    let parsed = try FontLayout(container, budget: &budget)
    return plans.withLock { plans in
      let layout = plans.layout ?? parsed
      plans.layout = layout
      return layout
    }
  }
}
