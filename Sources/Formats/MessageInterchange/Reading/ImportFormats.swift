/// The built-in formats.
public enum ImportFormats {
  static func isLoose(_ format: any ImportFormat) -> Bool { loose.contains { $0.name == format.name } }

  static func isLooseJSON(_ format: any ImportFormat) -> Bool {
    ["json-lines", "json"].contains(format.name)
  }

  /// Formats whose every record names its program come first: tools' output in them may look like others.
  private static let asked: [any ImportFormat] = {
    let first = ["qwen-code", "claude-code", "codex"]
    return first.compactMap { name in all.first { $0.name == name } }
      + all.filter { !first.contains($0.name) }
  }()

  static let leastScore = 30

  /// The names that `--format` takes, each with the name to show.
  public static var names: [(name: String, title: String)] { all.map { ($0.name, $0.title) } }

  /// A format from outside precedes a built-in one of the same name. The error lists the names.
  static func named(
    _ name: String, or formats: [any ImportFormat] = []
  ) throws(InterchangeError) -> any ImportFormat {
    let known = formats + all
    if let format = known.first(where: { $0.name == name }) { return format }
    throw InterchangeError(
      .unknownFormat, "unknown format '\(name)'",
      remedy: "one of: \(known.map(\.name).joined(separator: ", "))")
  }

  /// The score that ends the search. IRC dialects are excepted: they look too much alike.
  private static let certainty = 90

  /// The program's format that is certain for a file; `nil` if others may fit.
  static func certain(for sample: FormatSample, or formats: [any ImportFormat] = []) -> (any ImportFormat)? {
    (formats + asked).first { !($0 is IRCLogFormat) && $0.score(sample) >= certainty }
  }

  /// The format of a file. If its first bytes are of no program's, ``FormatSample/lookFurther(in:)`` decides.
  static func best(
    for sample: inout FormatSample, of file: InputFile, or formats: [any ImportFormat] = [],
    likely: (any ImportFormat)? = nil
  ) throws(InterchangeError) -> (any ImportFormat)? {
    let first = best(for: sample, or: formats, likely: likely)
    guard first.map(isLoose) ?? true, try sample.lookFurther(in: file) else { return first }
    return best(for: sample, or: formats, likely: likely)
  }

  /// The format with the highest score, of equal ones the first, formats from outside before built-in ones.
  /// `likely` is the previous file's: an IRC dialect is asked first, so that the dozens of others check only
  /// a few lines each; folders have a file for each day.
  static func best(
    for sample: FormatSample, or formats: [any ImportFormat] = [], likely: (any ImportFormat)? = nil
  ) -> (any ImportFormat)? {
    let candidates = formats + asked
    var best: Candidate?
    if let dialect = likely as? IRCLogFormat,
      let place = candidates.firstIndex(where: { $0 is IRCLogFormat && $0.name == dialect.name })
    {
      best = Candidate(place: place, score: dialect.score(sample, ofAtLeast: leastScore))
    }
    for (place, format) in candidates.enumerated() where place != best?.place {
      let least = max(leastScore, best.map { $0.place < place ? $0.score + 1 : $0.score } ?? 0)
      let dialect = format as? IRCLogFormat
      let score = dialect?.score(sample, ofAtLeast: least) ?? format.score(sample)
      if score >= certainty, dialect == nil { return format }
      if score >= least { best = Candidate(place: place, score: score) }
    }
    return best.flatMap { $0.score >= leastScore ? candidates[$0.place] : nil }
  }

  private struct Candidate {
    let place: Int
    let score: Int
  }
}
