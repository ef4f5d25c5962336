internal import MessageModel
internal import MessagePostgres
internal import MessageStorage

/// The senders of a store in an archive, as they are there.
struct ArchiveSenders {
  private let connection: PostgresConnection
  private let numbers: ArchiveNumbers
  /// Their names and ids on their platforms; `nil` as long as they were not read. Nobody else writes them meanwhile.
  private var known: [Int64: String]?
  /// Those who are not there yet as they are.
  private var noted: [Int64: (name: String, external: String?)] = [:]

  init(_ connection: PostgresConnection, _ numbers: ArchiveNumbers) {
    (self.connection, self.numbers) = (connection, numbers)
  }

  /// Reads those who are there, if that was not done.
  mutating func read() throws(StoreError) {
    guard known == nil else { return }
    let rows = try connection.run(
      "SELECT id, name || chr(10) || coalesce(external, '') FROM sender WHERE store = $1::integer",
      [PostgresValue(numbers.store)])
    known = Dictionary(rows.indices.map { (rows.int($0, 0), rows.text($0, 1)) }) { $1 }
  }

  /// Notes who wrote a message, if they are not there as they are.
  ///
  /// - Parameter writer: Puts a symbol for what the server cannot hold.
  mutating func note(_ record: MessageRecord, by writer: inout ArchiveLineWriter) {
    guard let sender = record.message.sender else { return }
    let number = numbers.number(of: sender.id)
    let name = writer.kept(sender.name)
    let external = record.senderID.map { writer.kept($0) }
    let present = name + "\n" + (external ?? "")
    guard known?[number] != present else { return }
    noted[number] = (name, external)
    known?[number] = present
  }

  /// Writes those who were noted, all by one statement: a community has very many.
  mutating func write() throws(StoreError) {
    if noted.isEmpty { return }
    let rows = noted.map { Row(id: $0, name: $1.name, external: $1.external) }
    try connection.run(
      """
      INSERT INTO sender SELECT id, $1::integer, name, external
          FROM jsonb_to_recordset($2::jsonb) AS r(id bigint, name text, external text)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, external = excluded.external
      """, [PostgresValue(numbers.store), PostgresValue(SteadyJSON.of(rows))])
    noted = [:]
  }

  /// Forgets who is there, and those who were noted: what was written was taken back.
  mutating func forget() { (known, noted) = (nil, [:]) }

  private struct Row: Encodable {
    var id: Int64
    var name: String
    var external: String?
  }
}
