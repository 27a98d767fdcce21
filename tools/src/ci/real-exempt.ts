/**
 * Suites of `test/` that run on the embedded server alone, or on none, and why. Every other suite must run on a real
 * kube-apiserver; a test sees to it, and to it that nothing is listed here that could be struck out.
 */
export const REAL_EXEMPT: Readonly<Record<string, string>> = {
  'test/attacks/kubeconfigs.test.ts': 'needs a server that lies, which no kube-apiserver does: it is scripted',
  'test/attacks/paths.test.ts': 'needs a server that lies, which no kube-apiserver does: it is scripted',
  'test/attacks/long-work.test.ts': 'is about the one thread that the embedded server has; a real one has many',
  'test/attacks/stalled-readers.test.ts':
    'reads what the embedded server counts and turns its limits; those of a real one take a minute to be felt',
  'test/attacks/watch-soak.test.ts': 'weighs the process of the embedded server',
  'test/attacks/bad-day.test.ts':
    'takes hours of a hosted cluster, in virtual time; the hosting suite runs its scenarios on real servers',
  'test/attacks/overwritten-status.test.ts':
    'waits in virtual time after each of hundreds of writes; the hosting suite runs the scenario on real servers',
  'test/attacks/growth.test.ts': 'measures the time of our own functions; the conformance suites check their results',
  'test/attacks/disk.test.ts': 'removes the disk of our own process, and reads its data directory',
  'test/cluster/virtual-nodes.test.ts':
    'takes hours in virtual time; the controllers suite runs what fits into seconds on real servers',
  'test/cluster/virtual-pods.test.ts':
    'takes half hours of backoff in virtual time; the controllers suite runs what fits into seconds on real servers',
  'test/conformance/garbage.test.ts': 'looks into the store of the embedded server for what garbage has done to it',
  'test/conformance/history.test.ts': 'needs the history cut short, which a real server cannot do',
  'test/control-plane/private-types.test.ts':
    'gives every test a server of its own, one of them behind a proxy; the control plane suite runs the operator on real servers',
  'test/control-plane/routes.test.ts':
    'defines routes, by which every control plane of a server is published differently: it has one of its own',
  'test/control-plane/simulated.test.ts':
    'is about crashes at every write, in virtual time; the suites next to it run the operators on real servers',
  'test/durability/kill.test.ts': 'kills our own process and reads its data directory',
  'test/durability/ledger.test.ts': 'needs no server: it is about how the promises of one are kept book of',
  'test/migration/crashes/crashes.test.ts':
    'begins each of hundreds of migrations from a snapshot of the embedded server, and observes its store',
  'test/migration/simulation/fleet.test.ts':
    'takes hours of a fleet in virtual time, and checks the log of every event',
  'test/migration/simulation/downgrade.test.ts':
    'reads which operator wrote what in the event log of the simulation; the guards of install run on real servers',
  'test/migration/simulation/upgrade.test.ts':
    'takes hours of a fleet in virtual time, and reads every lock in its event log',
  'test/migration/simulation/interruptions.test.ts':
    'takes hours without operators and without a server in virtual time, and checks the log of every event',
  'test/migration/simulation/probe.test.ts': 'is about the oracle of other simulations',
  'test/migration/crashes/history.test.ts': 'observes the store of the embedded server',
  'test/hosted-cluster/bad-input.test.ts':
    'is about decisions, one cluster each; the operator suite runs on real servers',
  'test/hosted-cluster/deletion.test.ts':
    'reads the log of a hand-driven operator; the operator suite deletes clusters on real servers',
  'test/hosted-cluster/effects.test.ts':
    'creates a cluster for every request that may be lost; the operator suite runs the outcome on real servers',
  'test/hosted-cluster/life.test.ts':
    'moves the time of a hand-driven operator; the operator suite runs on real servers',
  'test/hosted/faults.test.ts':
    'is about operators that fail, and takes hours in virtual time; the hosting suite runs the scenario on real servers',
  'test/hosted/from-zero.test.ts':
    'waits again and again until a node has been idle for long enough, in virtual time; the hosting suite scales pools on real servers',
  'test/hosted/drains.test.ts':
    'minutes of drains pass in it, in virtual time; upgrades in place the node pools suite runs on real servers',
  'test/hosted/namespace.test.ts':
    'deletes controllers and waits for hours, in virtual time; the hosting suite deletes namespaces of real servers',
  'test/hosted/private-operators.test.ts':
    'reads which process wrote what in the event log of the simulation; the private hosting suite runs on real servers',
  'test/hosted/releases.test.ts':
    'refuses pods of simulated workloads, and hours pass in it, in virtual time; upgrades the hosting suite runs on real servers',
  'test/hosted/tampered.test.ts': 'reads every revision of a Secret in the event log of the simulation',
  'test/hosted/turns-faults.test.ts':
    'reads which operator reconciles at every event, under faults in virtual time; the private hosting suite runs both on real servers',
  'test/machine-sync/create-cluster.test.ts':
    'starts a server of its own for each platform, with the CRDs of that platform alone',
  'test/machine-sync/health-checks.test.ts':
    'waits for health checks and instances of a simulated cloud, in virtual time; the original manager runs on real servers',
  'test/machine-sync/new-cluster.test.ts': 'needs no server: it is about pure functions of each platform',
  'test/machine-sync/surroundings.test.ts':
    'changes flags and clusters under running machines of a simulated cloud, in virtual time',
  'test/machine-sync/control-plane.test.ts':
    'replaces instances of a simulated cloud, in virtual time; needs a cloud that no real server has',
  'test/machine-sync/copies.test.ts':
    'disputes copies for minutes of virtual time, with instances of a simulated cloud; needs a cloud that no real server has',
  'test/machine-sync/deletion.test.ts':
    'counts the instances of a simulated cloud while hours pass, in virtual time; needs a cloud that no real server has',
  'test/machine-sync/alone.test.ts':
    'counts calls of a simulated cloud and writes of the operator while hours pass, in virtual time',
  'test/machine-sync/crashes.test.ts': 'cuts handovers off at each write of the operator, in virtual time',
  'test/machine-sync/specification.test.ts':
    'waits for machines of a simulated cloud in virtual time; needs a cloud that no real server has',
  'test/machine-sync/credentials.test.ts':
    'reads what stand-ins of providers do with the copies, in virtual time; needs a cloud that no real server has',
  'test/machine-sync/handover.test.ts': 'hands machines over in virtual time, under faults and crashes',
  'test/machine-sync/secrets.test.ts':
    'boots machines of a simulated cloud with the copies, in virtual time; needs a cloud that no real server has',
  'test/machine-sync/sync.test.ts':
    'counts the calls of a simulated cloud while hours pass, in virtual time; needs a cloud that no real server has',
  'test/hosted/overwritten.test.ts':
    'asserts in virtual time that nothing is written for minutes; the hosting suite runs the scenario on real servers',
  'test/hosted/turn-watch.test.ts': 'is about the oracle of a simulation',
  'test/hosted-cluster/operator-image.test.ts':
    'reconciles by hand with releases whose images have labels; the operator suite runs on real servers',
  'test/hosted-cluster/proxies.test.ts':
    'reconciles by hand in virtual time; the migration suite has the same objects on real servers',
  'test/hosted-cluster/turns.test.ts':
    'drives the operator by hand for each row of a table; the operator suite runs on real servers',
  'test/hosted-cluster/two-operators.test.ts':
    'translates in process what the operator sends; the proxy suites translate in front of real servers',
  'test/hosted-cluster/platforms.test.ts':
    'drives the operator by hand on every platform; the operator suite runs on real servers',
  'test/kubectl/binaries.test.ts': 'needs no server: it is about how kubectls are found',
  'test/kubectl/breadth.test.ts': 'needs no server: it is about which kubectls run which scenarios',
  'test/kubectl/faults.test.ts': 'only the embedded server has fault injection',
  'test/node-pools/bad-input.test.ts':
    'takes minutes of machines in virtual time, with our Cluster API and cloud; the node pools suite runs on real servers',
  'test/node-pools/in-place.test.ts':
    'takes minutes of machines in virtual time, with our Cluster API and cloud; the node pools suite runs on real servers',
  'test/node-pools/overwritten.test.ts':
    'counts in virtual time how often a pool is reconciled; the node pools suite runs to rest on real servers',
  'test/node-pools/stuck.test.ts':
    'takes minutes of drains in virtual time, with our Cluster API and cloud; the node pools suite runs on real servers',
  'test/node-pools/replace.test.ts':
    'takes minutes of machines in virtual time, with our Cluster API and cloud; the node pools suite runs on real servers',
  'test/node-pools/crash.test.ts': 'ends the process at every write, in virtual time',
  'test/node-pools/faults.test.ts': 'everything around the process fails, in virtual time',
  'test/up/npm.test.ts': 'is about the processes of npm start and npx',
  'test/up/screen.test.ts': 'is about what npm start shows',
  'test/up/uncaught.test.ts': 'is about the process of capstan up and the containers in it',
  'test/up/signals.test.ts': 'is about the process of capstan up and the cluster it starts itself',
  'test/up/upgrade.test.ts': 'is about the cluster that capstan up starts itself',
  'test/up/undisturbed.test.ts':
    'is about the cluster that capstan up starts itself; in the simulation of a migration a user does the same',
  'test/up/migrate.test.ts': 'is about the cluster that capstan up starts itself, and its migration',
  'test/up/tutorial.test.ts': 'is about the cluster that npm start shows, and the tutorial about it',
  'test/up/cold-start.test.ts':
    'is about the cluster that capstan up starts itself; the shim suite stops and starts the shim on real servers',
  'test/up/hosted.test.ts': 'is about the cluster that capstan up starts itself',
  'test/providers/barge.test.ts': 'needs no server: it asks the platform that the documents show',
  'test/providers/hosted-cluster.test.ts':
    'runs the operator with every platform; the operator suite runs on real servers',
  'test/crd-compatibility/release-pairs.test.ts':
    'needs no server: it counts witnesses; those of the acceptance table the witnesses suite sends to real ones',
  'test/providers/published-schemas.test.ts':
    'needs no server: it asks published schemas, which the api-kinds suite gives to real ones',
  'test/proxy/memory.test.ts': 'measures our own processes; the proxy suite runs on real servers',
  'test/proxy/process.test.ts':
    'kills and measures our own process with a scripted server; the proxy suite runs on real servers',
  'test/proxy/streams.test.ts':
    'is about bytes that only client and kubelet read; the kubectl suite runs the same streams on real servers',
  'test/runtime/informer-restart.test.ts':
    'kills and restarts our own process; the informer survival suite cuts connections of real servers',
  'test/translate/agreement.test.ts': 'needs no server: it compares two translations of the same objects',
  'test/translate/protobuf.test.ts':
    'needs no server: it is about bytes, and the encodings suite takes some to real ones',
  'test/translate/protobuf-vectors.test.ts':
    'needs no server: it is about bytes, and the encodings suite takes some to real ones',
  'test/translate/protobuf-watch.test.ts':
    'needs no server: it is about bytes, and the encodings suite takes some to real ones',
  'test/runtime/leader-processes.test.ts':
    'needs the order in which the embedded server commits; the runtime suite elects leaders on real servers',
  'test/up/greeter.test.ts': 'is about the simulation; the runtime suite runs the same operator on real servers',
  'test/up/machine-tutorial.test.ts': 'is about the cluster that capstan up starts itself, as a page shows it',
  'test/up/install.test.ts': 'is about the cluster that capstan up starts itself, and installing into it',
  'test/up/machine-api.test.ts': 'is about the cluster that capstan up starts itself, and its machines',
  'test/up/up.test.ts': 'is about the embedded cluster of capstan up; the proxy and shim suites run on real servers',
};
