import TestSupport

/// Screens of a terminal one after the other, as a picture that plays and begins again.
///
/// What screens have in common is drawn once, and shown while it is there: most of what changes is a line being typed. It
/// plays by CSS alone, also within `<img>`. Where nothing plays, or whoever looks has asked for less motion, it is the
/// first screen.
struct ScreenFilm {
  private var size: ScreenDrawing.Size?
  private var seconds = 0.0
  /// When each thing was to be seen, in the order of their first times.
  private var things: [ScreenDrawing.Thing] = []
  private var times: [ScreenDrawing.Thing: [Range<Double>]] = [:]

  /// Shows a screen after those before.
  mutating func show(_ screen: TerminalModel, for duration: Double) {
    let drawing = ScreenDrawing(screen)
    size = drawing.size
    let time = seconds..<(seconds + duration)
    for thing in drawing.things {
      if times[thing] == nil { things.append(thing) }
      times[thing, default: []].add(time)
    }
    seconds = time.upperBound
  }

  /// The picture; of a single screen, one that stands.
  var svg: String {
    let groups = groups
    let styles = groups.enumerated().map { style($0.offset, $0.element.times) }
    let drawn = groups.enumerated().map { index, group in
      let hidden = group.times.first?.lowerBound == 0 ? "" : " visibility=\"hidden\""
      return "<g class=\"t\(index)\"\(hidden)>\n" + group.things.map(\.svg).joined(separator: "\n") + "\n</g>"
    }
    return ScreenDrawing.picture(
      of: size ?? ScreenDrawing.Size(width: 0, height: 0),
      styles: (styles + ["@media (prefers-reduced-motion: reduce) { g { animation: none !important } }"]),
      drawn)
  }

  /// The things that come and go at the same times; what covers others comes behind them.
  private var groups: [(times: [Range<Double>], things: [ScreenDrawing.Thing])] {
    var groups: [(times: [Range<Double>], things: [ScreenDrawing.Thing])] = []
    var places: [Key: Int] = [:]
    for thing in things.filter({ !$0.isOnTop }) + things.filter(\.isOnTop) {
      let key = Key(times: times[thing] ?? [], isOnTop: thing.isOnTop)
      if let place = places[key] {
        groups[place].things.append(thing)
      } else {
        places[key] = groups.count
        groups.append((key.times, [thing]))
      }
    }
    return groups
  }

  private struct Key: Hashable {
    var times: [Range<Double>]
    var isOnTop: Bool
  }

  /// The rule by which a group comes and goes; none if it is always there.
  private func style(_ index: Int, _ times: [Range<Double>]) -> String {
    guard times != [0..<seconds] else { return ".t\(index) {}" }
    var steps = times.first?.lowerBound == 0 ? "" : "0% { visibility: hidden } "
    for time in times {
      steps += "\(percent(time.lowerBound)) { visibility: visible } "
      if time.upperBound < seconds { steps += "\(percent(time.upperBound)) { visibility: hidden } " }
    }
    return ".t\(index) { animation: k\(index) \(ScreenDrawing.number(seconds))s step-end infinite }\n"
      + "@keyframes k\(index) { \(steps)}"
  }

  private func percent(_ time: Double) -> String { "\((time / seconds * 100_000).rounded() / 1_000)%" }
}

extension [Range<Double>] {
  /// Adds a time that is not before those that are there; what follows on the last one makes it longer.
  fileprivate mutating func add(_ time: Range<Double>) {
    if let last, last.upperBound == time.lowerBound {
      self[count - 1] = last.lowerBound..<time.upperBound
    } else {
      append(time)
    }
  }
}
