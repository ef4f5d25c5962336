/// Sessions of one program in files of one kind: a row of ``ImportFormats/assistants``.
package struct AssistantEntry: Sendable {
  /// What the program's files are, and with that how they grow.
  package enum FileKind: String, Sendable {
    /// Each record is a line that is appended.
    case lines
    /// The program rewrites the file as a whole.
    case document
    case database
    /// A file that the user asks a site for; it has no place.
    case export

    /// How a file changes while others read it; `nil` if the format decides.
    var nature: FileNature? {
      switch self {
      case .lines: .lines
      case .document: .session
      case .database, .export: nil
      }
    }
  }

  /// The format that reads the files; several entries may share one.
  package let format: String
  /// The program's name to show, and that of its replies' sender.
  package let program: String
  package let kind: FileKind
  package let places: [AssistantPlace]
  /// The versions whose files were read.
  package let versions: String
  /// The month of the last comparison with the program, and what it was compared with: `2026-11: its source`.
  package let verified: String
  /// Whether its files are lines of role and content, which one reader reads for all programs.
  package var isOfLines: Bool { shape != nil }
  /// The keys of the lines; `nil` if the format has a reader of its own.
  let shape: ChatShape?
  /// Whether other files of the program have the same sessions, and say more of them.
  let repeats: Bool
  /// For the name of a file the one beside it that says the same more fully, and is read in its place.
  let fuller: [String: String]
  /// Files beside the sessions that repeat them, each with keys of its records.
  let repeating: [String: [StaticString]]
  let resume: ResumeCommand?

  init(
    _ format: String, _ program: String, _ kind: FileKind, _ places: [AssistantPlace] = [],
    versions: String, verified: String, shape: ChatShape? = nil, repeats: Bool = false,
    fuller: [String: String] = [:],
    repeating: [String: [StaticString]] = [:], resume: ResumeCommand? = nil
  ) {
    self.format = format
    self.program = program
    self.kind = kind
    self.places = places.map { $0.of(program) }
    self.versions = versions
    self.verified = verified
    self.shape = shape
    self.repeats = repeats
    self.fuller = fuller
    self.repeating = repeating
    self.resume = resume
  }

  /// How well a file fits the shape: with certainty in one of the places, and elsewhere only if its keys are
  /// those of no other program.
  func score(_ sample: FormatSample) -> Int {
    guard let shape, sample.firstSign == UInt8(ascii: "{") else { return 0 }
    if places.contains(where: { $0.mayHold(sample.components) }),
      sample.isFirstLineCut || sample.hasRecord(where: shape.fits)
    {
      return 96
    }
    return !shape.marks.isEmpty && sample.hasRecord(where: shape.isMarked) ? 80 : 0
  }

  func companion(of sample: FormatSample, beside files: Companions) -> String? {
    if let better = fuller[sample.name], score(sample) > 0, files.hasBeside(better, in: sample.folder) {
      return "\(better), which has the same in full"
    }
    guard let keys = repeating[sample.name], FormatSign.keys(keys).fits(sample) else { return nil }
    return "sessions of \(program), which have the same"
  }
}
