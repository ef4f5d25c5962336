/// Element's HTML export of a room, a page per thousand messages.
struct MatrixPageFormat: ImportFormat {
  let name = "matrix-html"
  let title = "Matrix, as Element exports a room in HTML"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "<") else { return 0 }
    return sample.has("class=\"mx_MatrixChat_wrapper\"") && sample.has("js/script.js") ? 94 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    MatrixPageReader(file: file, options: options)
  }

  func companion(of sample: FormatSample, beside files: Companions) -> String? {
    guard let last = sample.folder.last, ["css", "js"].contains(last), sample.has("mx_") else { return nil }
    let above = Array(sample.folder.dropLast())
    return ["messages.html", "index.html"].contains { files.has($0, in: above) } ? "Element's export" : nil
  }
}
