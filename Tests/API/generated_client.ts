// Runs a research job with the client that openapi-generator has made, and reads a typed figure of its result.
//
//     node generated_client.js URL
import { Configuration, Figure, JobsApi } from './client';

declare const process: { argv: string[]; exit(code: number): void };

async function main(): Promise<void> {
    const jobs = new JobsApi(new Configuration({ basePath: process.argv[2], headers: { 'X-User-ID': 'typescript' } }));
    const submitted = await jobs.submitJob({
        jobRequest: { kind: 'research', input: { ticker: 'AAPL', persona: 'buffett' } },
    });
    let job = submitted.data;
    for (let reads = 0; job.completedAt == null && reads < 60; reads += 1) {
        job = (await jobs.getJob({ id: job.id, wait: 5 })).data;
    }
    const result = (await jobs.getJobResult({ id: job.id })).data;
    if (result.kind !== 'research') throw new Error(`a result of ${result.kind}`);
    const figure: Figure = result.facts[0];
    const value: number = figure.value;
    if (typeof value !== 'number' || !(job.createdAt instanceof Date)) throw new Error(JSON.stringify(figure));
    console.log(`generated TypeScript client: ${figure.label} is ${value}, the score ${result.scorecard?.score}`);
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
