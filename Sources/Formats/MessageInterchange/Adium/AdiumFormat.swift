/// Adium's logs: an XML file for each time a chat was open.
struct AdiumFormat: ImportFormat {
  let name = "adium"
  let title = "Adium's log"

  func score(_ sample: FormatSample) -> Int {
    guard sample.has("<chat ", inFirst: 1_024) else { return 0 }
    return sample.has("http://purl.org/net/ulf/ns/0.4", inFirst: 1_024) || sample.name.hasSuffix(".chatlog")
      ? 95 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    AdiumReader(file: file, options: options)
  }
}
