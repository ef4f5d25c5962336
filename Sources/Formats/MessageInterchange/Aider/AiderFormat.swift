/// aider's history of a project, `.aider.chat.history.md`: Markdown to which each run appends a session.
struct AiderFormat: GrowingFormat {
  let name = "aider"
  let title = "aider's history"

  static let fileName = ".aider.chat.history.md"

  func score(_ sample: FormatSample) -> Int {
    let isFirst = sample.lines.first.map(Self.isStart) ?? false
    if isFirst { return 95 }
    // If the beginning was cut off, the end of a session comes first.
    return sample.name == Self.fileName && sample.lines.contains(where: Self.isStart) ? 90 : 0
  }

  private static func isStart(_ line: ArraySlice<UInt8>) -> Bool {
    line.withUnsafeBytes { AiderLine.start($0) != nil }
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    AiderReader(file: file, options: options)
  }
}

extension AiderFormat: AssistantFormat {
  var places: [AssistantPlace] {
    [
      AssistantPlace("aider", .project, "", files: Self.fileName, followsFile: true)
    ]
  }
}
